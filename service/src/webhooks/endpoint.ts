import type { Mode } from '../domain/transfer.ts';
import type { EventType } from '../events/event-types.ts';
import { SealBroken, type Sealer } from './seal-secret.ts';

/** Where a merchant receives events. */
export type Endpoint = Readonly<{
  bookId: string;
  id: string;
  url: string;
  /** Empty: every type. */
  events: readonly EventType[];
  status: 'enabled' | 'disabled';
  disabledReason: string | null;
  createdAt: Date;
}>;

/** An endpoint with everything needed to send to it. */
export type DeliverableEndpoint = Readonly<{
  bookId: string;
  id: string;
  mode: Mode;
  url: string;
  secretSealed: Uint8Array;
  previousSecretSealed: Uint8Array | null;
  previousSecretUntil: Date | null;
}>;

export type SealedSecrets = Pick<
  DeliverableEndpoint,
  'bookId' | 'id' | 'secretSealed' | 'previousSecretSealed' | 'previousSecretUntil'
>;

/** More would multiply every event of the book. */
export const ENDPOINTS_MAX = 10;

/** How long the previous secret also signs: a day is enough to change a receiver's configuration. */
export const SECRET_OVERLAP_MS = 24 * 60 * 60 * 1_000;

/** Standard Webhooks requires 24 to 64 bytes. */
const SECRET_BYTES = 32;
const SECRET_PREFIX = 'whsec_';

export function createSecret(randomBytes: (size: number) => Uint8Array): string {
  return SECRET_PREFIX + Buffer.from(randomBytes(SECRET_BYTES)).toString('base64');
}

/** A secret is sealed for its endpoint only: moved to another row, it does not open. */
export function endpointSecretPurpose({
  bookId,
  id,
}: Readonly<{ bookId: string; id: string }>): string {
  return `webhook ${bookId} ${id}`;
}

/** The secrets that sign for the endpoint now, the newest first: one, or two after a rotation. */
export function openSecrets(sealer: Sealer, row: SealedSecrets, now: Date): string[] {
  const purpose = endpointSecretPurpose(row);
  const current = sealer.open(row.secretSealed, purpose);
  const { previousSecretSealed, previousSecretUntil } = row;
  if (previousSecretSealed === null || previousSecretUntil === null) return [current];
  if (previousSecretUntil <= now) return [current];
  const previous = openPrevious(sealer, previousSecretSealed, purpose);
  return previous === undefined ? [current] : [current, previous];
}

/** One whose key is lost signs nothing more, and must not keep the new one from signing. */
function openPrevious(sealer: Sealer, sealed: Uint8Array, purpose: string): string | undefined {
  try {
    return sealer.open(sealed, purpose);
  } catch (error) {
    if (error instanceof SealBroken) return undefined;
    throw error;
  }
}
