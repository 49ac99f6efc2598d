import type { ActDeps } from '../../acts/act.ts';
import { recordAct } from '../../acts/record-act.ts';
import type { Database, Queryable, Statement } from '../../postgres/database.ts';
import { type EndedFactors, endFactors } from '../end-factors.ts';
import { hasAnyFactor } from '../find-factors.ts';

const KIND = 'ACCOUNT_RESET';

/**
 * Notes that the issuer vouches for the address of a person. The first time, all that opens the account without the issuer
 * ends: its inviter sees the link by which an account is made, and may have set the password and the second factors. One
 * factor at the issuer ends no second factor: a person who stole a password would then need no other.
 */
export async function resetUnvouched(
  deps: ActDeps & Readonly<{ directory: Database }>,
  {
    personId,
    hasSecondFactor,
  }: Readonly<{
    personId: string;
    /** The issuer says that one was shown there. */
    hasSecondFactor: boolean;
  }>,
): Promise<void> {
  await deps.directory.transaction(async (tx) => {
    const [person] = await tx.query<PersonRow>(LOCK, [personId]);
    // Another browser was first.
    if (person === undefined) return;
    // The person shows it by step-up, which vouches for them too (people/vouch-by-session.ts).
    if (!hasSecondFactor && (await hasAnyFactor(tx, personId))) return;
    const at = deps.now();
    const ended = await endFactors(tx, { personId, at });
    await tx.query(VOUCH, [personId, at]);
    const before = { password: person.has_password, ...ended };
    if (Object.values(before).every((had) => had === false || had === 0)) return;
    await record(tx, deps, { ...person, id: personId, before });
  });
}

type Reset = Readonly<{
  id: string;
  name: string;
  email: string;
  before: EndedFactors & Readonly<{ password: boolean }>;
}>;

/** For each merchant of the person, whose owners see only acts of their own; and for the company, if it is concerned. */
async function record(tx: Queryable, deps: ActDeps, reset: Reset): Promise<void> {
  const { id, name, email, before } = reset;
  const merchants = await tx.query<{ merchant_id: string }>(LIST_MERCHANTS, [id]);
  const staff = await tx.query(FIND_STAFF_ROLE, [id]);
  const merchantIds = merchants.map(({ merchant_id: merchantId }) => merchantId);
  const concerned =
    staff.length > 0 || merchants.length === 0 ? [null, ...merchantIds] : merchantIds;
  for (const merchantId of concerned) {
    await recordAct(tx, deps, {
      actor: { kind: 'person', id, name, ...(merchantId === null ? {} : { merchantId }) },
      kind: KIND,
      subject: id,
      merchantId,
      reason: null,
      before: { name, email, ...before },
      after: NOTHING,
    });
  }
}

/** When the account was reset; null: never. */
export async function findReset(directory: Queryable, personId: string): Promise<Date | null> {
  const [act] = await directory.query<{ acted_at: Date }>(FIND_RESET, [personId, KIND]);
  return act?.acted_at ?? null;
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

const LIST_MERCHANTS: Statement = {
  name: '',
  text: 'select distinct merchant_id from merchant_roles where person_id = $1 order by merchant_id',
};

const FIND_STAFF_ROLE: Statement = {
  name: '',
  text: 'select role from staff_roles where person_id = $1 limit 1',
};

const FIND_RESET: Statement = {
  name: '',
  text: 'select acted_at from acts where subject = $1 and kind = $2 order by acted_at desc limit 1',
};
