import type { Queryable, Statement } from '../postgres/database.ts';
import { sealTotpSecret } from './check-second-factor.ts';
import type { PeopleDeps } from './people-deps.ts';
import { createRecoveryCode, RECOVERY_CODES, readRecoveryCode } from './recovery-code.ts';

type TotpGiven = Readonly<{
  personId: string;
  secret: string;
  /** The step of the code by which the person proved the secret; 0 when none was shown. */
  lastStep: bigint;
}>;

/** Stores the secret of a person's authenticator app, in place of an earlier one. */
export async function storeTotp(
  tx: Queryable,
  { sealer, now }: Pick<PeopleDeps, 'sealer' | 'now'>,
  { personId, secret, lastStep }: TotpGiven,
): Promise<void> {
  await tx.query(STORE_TOTP, [personId, sealTotpSecret(sealer, personId, secret), lastStep, now()]);
}

/** Makes ten new recovery codes; earlier ones no longer work. They are shown once: only hashes are stored. */
export async function storeRecoveryCodes(
  tx: Queryable,
  { randomBytes }: Pick<PeopleDeps, 'randomBytes'>,
  personId: string,
): Promise<readonly string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () => createRecoveryCode(randomBytes));
  await tx.query(DELETE_CODES, [personId]);
  await tx.query(STORE_CODES, [personId, codes.map(readRecoveryCode)]);
  return codes;
}

const STORE_TOTP: Statement = {
  name: '',
  text: `
    insert into totp_factors (person_id, sealed_secret, last_step, created_at)
    values ($1, $2, $3, $4)
    on conflict (person_id) do update
    set sealed_secret = excluded.sealed_secret, last_step = excluded.last_step, created_at = excluded.created_at`,
};

const DELETE_CODES: Statement = {
  name: '',
  text: 'delete from recovery_codes where person_id = $1',
};

const STORE_CODES: Statement = {
  name: '',
  text: 'insert into recovery_codes (person_id, hash) select $1, unnest($2::bytea[])',
};
