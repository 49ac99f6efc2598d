import type { Queryable, Statement } from '../postgres/database.ts';
import type { Sealer } from '../webhooks/seal-secret.ts';
import type { PeopleDeps } from './people-deps.ts';
import { readRecoveryCode } from './recovery-code.ts';
import { findTotpStep } from './totp.ts';

/** Longer than any code with its spaces and hyphens. */
const TYPED_LENGTH_MAX = 40;

export type SecondFactor = 'totp' | 'recovery_code';

/**
 * Uses up a code that the person typed, of TOTP or a recovery code. Undefined: it is not right, or was used before. The
 * statement that uses it also decides, so of two processes with the same code only one succeeds.
 */
export async function checkSecondFactor(
  {
    directory,
    sealer,
    now,
  }: Pick<PeopleDeps, 'sealer' | 'now'> & Readonly<{ directory: Queryable }>,
  { personId, code }: Readonly<{ personId: string; code: string }>,
): Promise<SecondFactor | undefined> {
  if (code.length > TYPED_LENGTH_MAX) return undefined;
  const recovery = readRecoveryCode(code);
  const at = now();
  if (recovery !== undefined) {
    const used = await directory.query(USE_RECOVERY_CODE, [personId, recovery, at]);
    return used.length === 1 ? 'recovery_code' : undefined;
  }
  const [factor] = await directory.query<{ sealed_secret: string }>(FIND_TOTP, [personId]);
  if (factor === undefined) return undefined;
  const secret = openTotpSecret(sealer, personId, factor.sealed_secret);
  const step = findTotpStep(secret, code.replace(/\s/g, ''), at);
  if (step === undefined) return undefined;
  const used = await directory.query(USE_STEP, [personId, step, factor.sealed_secret]);
  return used.length === 1 ? 'totp' : undefined;
}

export function sealTotpSecret(sealer: Sealer, personId: string, secret: string): string {
  return Buffer.from(sealer.seal(secret, purposeOf(personId))).toString('base64');
}

function openTotpSecret(sealer: Sealer, personId: string, sealed: string): string {
  return sealer.open(Buffer.from(sealed, 'base64'), purposeOf(personId));
}

/** What was sealed for one person does not open for another. */
function purposeOf(personId: string): string {
  return `totp\n${personId}`;
}

const FIND_TOTP: Statement = {
  name: 'find-totp',
  text: 'select sealed_secret from totp_factors where person_id = $1',
};

const USE_STEP: Statement = {
  name: 'use-totp-step',
  text: `
    update totp_factors set last_step = $2
    where person_id = $1 and last_step < $2 and sealed_secret = $3
    returning last_step`,
};

const USE_RECOVERY_CODE: Statement = {
  name: 'use-recovery-code',
  text: `
    update recovery_codes set used_at = $3
    where person_id = $1 and hash = $2 and used_at is null
    returning person_id`,
};
