import type { Queryable, Statement } from '../postgres/database.ts';
import { endSessionsOf } from './end-sessions.ts';

/** What a person had. */
export type EndedFactors = Readonly<{
  authenticatorApp: boolean;
  passkeys: number;
  recoveryCodes: number;
  sessions: number;
}>;

/** Ends the second factors and sessions of a person, whose row is locked. */
export async function endFactors(
  tx: Queryable,
  { personId, at }: Readonly<{ personId: string; at: Date }>,
): Promise<EndedFactors> {
  return {
    authenticatorApp: (await deleteFrom(tx, DELETE_TOTP, personId)) > 0,
    passkeys: await deleteFrom(tx, DELETE_PASSKEYS, personId),
    recoveryCodes: await deleteFrom(tx, DELETE_RECOVERY_CODES, personId),
    sessions: await endSessionsOf(tx, { personId, at }),
  };
}

async function deleteFrom(tx: Queryable, statement: Statement, personId: string): Promise<number> {
  return (await tx.query(statement, [personId])).length;
}

const DELETE_TOTP: Statement = {
  name: '',
  text: 'delete from totp_factors where person_id = $1 returning person_id',
};

const DELETE_PASSKEYS: Statement = {
  name: '',
  text: 'delete from passkeys where person_id = $1 returning id',
};

const DELETE_RECOVERY_CODES: Statement = {
  name: '',
  text: 'delete from recovery_codes where person_id = $1 returning person_id',
};
