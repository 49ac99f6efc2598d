import type { ActDeps } from '../../acts/act.ts';
import { recordAct } from '../../acts/record-act.ts';
import type { Database, Queryable, Statement } from '../../postgres/database.ts';
import { endSessionsOf } from '../end-sessions.ts';

const KIND = 'ACCOUNT_RESET';

/**
 * Notes that the issuer vouches for the address of a person. The first time, all that opens the account without the issuer
 * ends: its inviter sees the link by which an account is made, and may have set the password and the second factors.
 */
export async function resetUnvouched(
  deps: ActDeps & Readonly<{ directory: Database }>,
  personId: string,
): Promise<void> {
  await deps.directory.transaction(async (tx) => {
    const [person] = await tx.query<PersonRow>(LOCK, [personId]);
    // Another browser was first.
    if (person === undefined) return;
    const at = deps.now();
    const { name, email } = person;
    const before = {
      password: person.has_password,
      authenticatorApp: (await deleteFrom(tx, DELETE_TOTP, personId)) > 0,
      passkeys: await deleteFrom(tx, DELETE_PASSKEYS, personId),
      recoveryCodes: await deleteFrom(tx, DELETE_RECOVERY_CODES, personId),
      sessions: await endSessionsOf(tx, { personId, at }),
    };
    await tx.query(VOUCH, [personId, at]);
    if (Object.values(before).every((had) => had === false || had === 0)) return;
    await recordAct(tx, deps, {
      actor: { kind: 'person', id: personId, name },
      kind: KIND,
      subject: personId,
      merchantId: null,
      reason: null,
      before: { name, email, ...before },
      after: NOTHING,
    });
  });
}

/** When the account was reset; null: never. */
export async function findReset(directory: Queryable, personId: string): Promise<Date | null> {
  const [act] = await directory.query<{ acted_at: Date }>(FIND_RESET, [personId, KIND]);
  return act?.acted_at ?? null;
}

async function deleteFrom(tx: Queryable, statement: Statement, personId: string): Promise<number> {
  return (await tx.query(statement, [personId])).length;
}

type PersonRow = { name: string; email: string; has_password: boolean };

const NOTHING = {
  password: false,
  authenticatorApp: false,
  passkeys: 0,
  recoveryCodes: 0,
  sessions: 0,
};

// A sign-in or a change of factors at this moment waits, and then finds no password, passkey or open session.
const LOCK: Statement = {
  name: '',
  text: `
    select name, email, password_hash is not null as has_password from people
    where id = $1 and vouched_at is null and removed_at is null and email is not null
    for update`,
};

const VOUCH: Statement = {
  name: '',
  text: 'update people set vouched_at = $2, password_hash = null where id = $1',
};

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

const FIND_RESET: Statement = {
  name: '',
  text: 'select acted_at from acts where subject = $1 and kind = $2 order by acted_at desc limit 1',
};
