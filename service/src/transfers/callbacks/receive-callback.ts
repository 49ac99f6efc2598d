import { hash, timingSafeEqual } from 'node:crypto';
import { refuse } from '../../domain/refusal.ts';
import type { Transfer } from '../../domain/transfer.ts';
import type { CallbackReading, RawCallback } from '../../operators/contract/connector.ts';
import type { Routes } from '../../operators/routes/route.ts';
import { type CommitQueue, CommitQueueFull } from '../../postgres/commit-queue.ts';
import { failpoint } from '../../telemetry/failpoint.ts';
import type { NewCallback, StoredCallback } from './store-callbacks.ts';

const RETRY_AFTER_SECONDS = 1;
/** Headers that say something about the callback. Keys and cookies of the sender are not kept. */
const KEPT_HEADERS = [
  'content-type',
  'content-digest',
  'date',
  'signature',
  'signature-date',
  'signature-input',
  'user-agent',
  'x-signature',
] as const;

export type ReceiveCallbackDeps = Readonly<{
  callbacks: CommitQueue<NewCallback, StoredCallback>;
  now: () => Date;
  newId: () => string;
  /** Called for a transfer whose lease was taken when its callback was stored. */
  inquire: (transfer: Transfer) => void;
  /** Called after any other callback is stored. */
  onStored: () => void;
}>;

/**
 * Whether the token belongs to the route. It needs only the path of the request, so nothing else of an unauthenticated
 * client is read. It takes the same time for a wrong route and for a wrong token.
 */
export function isCallbackToken(
  routes: Routes,
  { name, token }: Readonly<{ name: string; token: string }>,
): boolean {
  const expected = routes.callbackTokenOf(name);
  const isRight = isSame(token, expected ?? '');
  return isRight && expected !== null && routes.named(name) !== undefined;
}

/** A callback of a route, and what its connector reads in it. */
export type ReadCallback = Readonly<{ name: string; raw: RawCallback; reading: CallbackReading }>;

export function readRouteCallback(
  routes: Routes,
  { name, raw }: Readonly<{ name: string; raw: RawCallback }>,
): ReadCallback {
  const route = routes.named(name);
  if (route === undefined) throw refuse('NOT_FOUND');
  return { name, raw, reading: route.connector.readCallback?.(raw) ?? UNREADABLE };
}

/**
 * Stores a callback as it came, before anything else is done with it. The caller has checked its token. Resolves to the
 * acknowledgement that the operator expects.
 */
export async function storeCallback(
  deps: ReceiveCallbackDeps,
  callback: ReadCallback,
): Promise<Readonly<{ acknowledgement: string | null }>> {
  const { reading } = callback;
  const { toInquire } = await store(deps, describe(deps, callback));
  failpoint('callback-stored');
  if (toInquire === undefined) deps.onStored();
  else deps.inquire(toInquire);
  return { acknowledgement: (reading.kind === 'read' && reading.acknowledgement) || null };
}

const UNREADABLE: CallbackReading = {
  kind: 'unreadable',
  cause: 'this operator sends no callbacks',
};

async function store(deps: ReceiveCallbackDeps, callback: NewCallback): Promise<StoredCallback> {
  const stored = await deps.callbacks.submit(callback).catch((error: unknown) => {
    if (!(error instanceof CommitQueueFull)) throw error;
    return undefined;
  });
  if (stored?.isStored === true) return stored;
  throw refuse('UNAVAILABLE', { retryAfterSeconds: RETRY_AFTER_SECONDS });
}

function describe(deps: ReceiveCallbackDeps, { name, raw, reading }: ReadCallback): NewCallback {
  const headers = KEPT_HEADERS.flatMap((header) => {
    const value = raw.headers[header];
    return value === undefined ? [] : [[header, value.replaceAll('\0', '')] as const];
  });
  const read = reading.kind === 'read' ? reading : undefined;
  return {
    id: deps.newId(),
    route: name,
    method: raw.method,
    headers: Object.fromEntries(headers),
    body: raw.body,
    reading: reading.kind,
    cause: reading.kind === 'read' ? null : reading.cause,
    operatorReference: read?.operatorReference ?? null,
    claims: read?.claims ?? null,
    verified: read?.verified ?? false,
    reported: read?.reported ?? null,
    receivedAt: deps.now(),
  };
}

/** Takes the same time wherever the texts differ. Compares hashes, because their lengths are equal. */
function isSame(left: string, right: string): boolean {
  const digest = (text: string) => hash('sha256', text, 'buffer');
  return timingSafeEqual(digest(left), digest(right));
}
