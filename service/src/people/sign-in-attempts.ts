import { hash } from 'node:crypto';
import { networkOf } from '../domain/network-of.ts';
import type { Database, Queryable, Statement } from '../postgres/database.ts';

/** How failures of one kind are slowed down: after each so many comes a wait, twice as long as the one before. */
type WaitRule = Readonly<{ failuresEach: number; firstWaitMs: number; longestWaitMs: number }>;

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

/**
 * A wrong password or code makes the person wait in that network, longer after each 5 failures and at most 15 minutes;
 * a network that tries many people waits as a whole. Failures from other networks make a person wait for a minute at
 * most, and not at all in a network from which they signed in before, so that a stranger cannot keep them out.
 */
const RULES = {
  network: { failuresEach: 100, firstWaitMs: 30 * SECOND_MS, longestWaitMs: 15 * MINUTE_MS },
  person: { failuresEach: 20, firstWaitMs: 5 * SECOND_MS, longestWaitMs: MINUTE_MS },
  personInNetwork: { failuresEach: 5, firstWaitMs: 30 * SECOND_MS, longestWaitMs: 15 * MINUTE_MS },
  /** Wrong codes after a right password, or in a session. Guessing a code must take years. */
  code: { failuresEach: 5, firstWaitMs: 30 * SECOND_MS, longestWaitMs: 15 * MINUTE_MS },
} as const satisfies Readonly<Record<string, WaitRule>>;
type RuleName = keyof typeof RULES;

/** After a time without failures, far longer than the longest wait, counting begins anew. */
const FORGOTTEN_AFTER_MS = 24 * 60 * MINUTE_MS;
/** Forgotten rows that one failure removes, so that what strangers type does not pile up. */
const REMOVED_AT_ONCE_MAX = 20;
/** How long a network counts as one that the person uses. */
const KNOWN_NETWORK_MS = 30 * 24 * 60 * MINUTE_MS;

/** Who tries: the e-mail address as it was typed, in lower case, and the client's address. */
export type SignInAttempt = Readonly<{ email: string; address: string }>;

export type SignInAttempts = Readonly<{
  /**
   * Counts the attempt as failed before it is looked at, so that many at once are no way around the wait. False: there
   * is a wait, and it must not be looked at.
   */
  begin(attempt: SignInAttempt): Promise<boolean>;
  /** The same for the code of one whose password was right. */
  beginCode(attempt: SignInAttempt): Promise<boolean>;
  /** The same for codes in a session. */
  beginStepUp(attempt: SignInAttempt): Promise<boolean>;
  /** The attempt was right after all: the person's failures in this network are forgotten. */
  succeed(attempt: SignInAttempt, what: 'sign-in' | 'step-up'): Promise<void>;
  /** The attempt that began was not looked at after all. */
  undo(attempt: SignInAttempt): Promise<void>;
}>;

type AttemptDeps = Readonly<{ directory: Database; now: () => Date }>;

export function createSignInAttempts({ directory, now }: AttemptDeps): SignInAttempts {
  async function count(tx: Queryable, rule: RuleName, attempt: SignInAttempt): Promise<boolean> {
    const { failuresEach, firstWaitMs, longestWaitMs } = RULES[rule];
    const at = now();
    const rows = await tx.query(COUNT, [
      keyOf(rule, attempt),
      at,
      new Date(at.getTime() - FORGOTTEN_AFTER_MS),
      failuresEach,
      firstWaitMs,
      longestWaitMs,
    ]);
    return rows.length === 1;
  }

  async function isKnownNetwork(
    tx: Queryable,
    { email, address }: SignInAttempt,
  ): Promise<boolean> {
    const since = new Date(now().getTime() - KNOWN_NETWORK_MS);
    const rows = await tx.query<{ address: string }>(KNOWN_ADDRESSES, [email, since]);
    return rows.some((row) => networkOf(row.address) === networkOf(address));
  }

  /** All or none is counted. Rows are locked in the order of the rules. */
  function countAll(rules: readonly RuleName[], attempt: SignInAttempt): Promise<boolean> {
    return allOrNothing(directory, async (tx) => {
      for (const rule of rules) {
        if (await count(tx, rule, attempt)) continue;
        const mayPass = RULES_OF_OTHERS.includes(rule) && (await isKnownNetwork(tx, attempt));
        if (!mayPass) return false;
      }
      await tx.query(REMOVE_FORGOTTEN, [
        new Date(now().getTime() - FORGOTTEN_AFTER_MS),
        REMOVED_AT_ONCE_MAX,
      ]);
      return true;
    });
  }

  return {
    begin: (attempt) => countAll(['network', 'person', 'personInNetwork'], attempt),
    beginCode: (attempt) => countAll(['code'], attempt),
    beginStepUp: (attempt) => countAll(['code', 'personInNetwork'], attempt),
    succeed: (attempt, what) =>
      directory.transaction(async (tx) => {
        if (what === 'sign-in') await uncount(tx, ['network', 'person'], attempt);
        await tx.query(FORGET, [keyOf('code', attempt)]);
        await tx.query(FORGET, [keyOf('personInNetwork', attempt)]);
      }),
    undo: (attempt) =>
      directory.transaction((tx) => uncount(tx, ['network', 'person', 'personInNetwork'], attempt)),
  };
}

async function uncount(
  tx: Queryable,
  rules: readonly RuleName[],
  attempt: SignInAttempt,
): Promise<void> {
  for (const rule of rules) {
    await tx.query(UNCOUNT, [keyOf(rule, attempt), RULES[rule].failuresEach]);
  }
}

/** Counted for attempts from all networks, so strangers can make a person wait by them. */
const RULES_OF_OTHERS: readonly RuleName[] = ['person', 'code'];

function keyOf(rule: RuleName, { email, address }: SignInAttempt): Buffer {
  const counted = {
    network: [networkOf(address)],
    person: [email],
    personInNetwork: [email, networkOf(address)],
    code: [email],
  }[rule];
  return hash('sha256', [rule, ...counted].join('\n'), 'buffer');
}

class RolledBack extends Error {}

/** Undoes everything when the work says false. */
async function allOrNothing(
  directory: Database,
  work: (tx: Queryable) => Promise<boolean>,
): Promise<boolean> {
  try {
    await directory.transaction(async (tx) => {
      if (!(await work(tx))) throw new RolledBack();
    });
    return true;
  } catch (error) {
    if (error instanceof RolledBack) return false;
    throw error;
  }
}

/** No row: there is a wait. */
const COUNT: Statement = {
  name: 'count-sign-in',
  text: `
    insert into sign_in_attempts as a (key, failures, failed_at)
    values ($1, 1, $2)
    on conflict (key) do update
    set failures = case when a.failed_at < $3 then 1 else a.failures + 1 end,
        failed_at = $2,
        waits_until = case
          when a.failed_at >= $3 and (a.failures + 1) % $4::integer = 0 then
            $2 + interval '1 millisecond'
              * least($6::integer, $5::integer * 2.0 ^ least((a.failures + 1) / $4::integer - 1, 20))
        end
    where a.waits_until is null or a.waits_until <= $2
    returning a.failures`,
};

const UNCOUNT: Statement = {
  name: 'uncount-sign-in',
  text: `
    update sign_in_attempts
    set waits_until = case when failures % $2::integer = 0 then null else waits_until end,
        failures = failures - 1
    where key = $1 and failures > 0`,
};

const FORGET: Statement = {
  name: 'forget-sign-ins',
  text: 'delete from sign_in_attempts where key = $1',
};

const REMOVE_FORGOTTEN: Statement = {
  name: 'remove-forgotten-sign-ins',
  text: `
    delete from sign_in_attempts
    where key in (
      select key from sign_in_attempts where failed_at < $1 order by failed_at limit $2 for update skip locked
    )`,
};

const KNOWN_ADDRESSES: Statement = {
  name: 'known-addresses',
  text: `
    select distinct s.address
    from sessions s
    join people p on p.id = s.person_id
    where p.email = $1 and s.created_at >= $2
    limit 200`,
};
