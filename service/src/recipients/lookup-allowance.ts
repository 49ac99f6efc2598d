import { refuse } from '../domain/refusal.ts';
import { isFaultOfOneCommand } from '../postgres/bad-command.ts';
import { createCommitQueue } from '../postgres/commit-queue.ts';
import { type Queryable, type Statement } from '../postgres/database.ts';

/** One statement at a time: lookups that arrive meanwhile share the next one. */
const ALLOWANCE_CONCURRENCY = 1;
const ALLOWANCE_GROUP_MAX = 1_024;
/** Lookups that may wait for the allowance: as many as may wait to be recorded. */
const ALLOWANCE_WAITING_MAX = 4_096;
const DAY_MS = 86_400_000;

/** A key of a book that requests names. */
type Asker = Readonly<{ bookId: string; actor: string }>;

export type LookupAllowance = Readonly<{
  /** Refuses with RATE_LIMITED when the key has used all its lookups of today. */
  take(asker: Asker): Promise<void>;
}>;

type AllowanceDeps = Readonly<{
  database: Queryable;
  now: () => Date;
  monotonicMs: () => number;
  /** Name lookups per key and UTC day; 0: no limit. */
  namesPerDayMax: number;
}>;

/**
 * Limits how many names a key may look up in a day. The count is in the database and is taken before the operator is
 * asked, so that it holds across processes, restarts and concurrent requests.
 */
export function createLookupAllowance(deps: AllowanceDeps): LookupAllowance {
  const { now, monotonicMs, namesPerDayMax } = deps;
  const takes = createCommitQueue<Asker, boolean>({
    ownerOf: ({ bookId }) => bookId,
    concurrency: ALLOWANCE_CONCURRENCY,
    groupMax: ALLOWANCE_GROUP_MAX,
    waitingMax: ALLOWANCE_WAITING_MAX,
    commit: (askers) => takeForAll(deps, askers),
    mayBeOneCommandsFault: isFaultOfOneCommand,
    monotonicMs,
  });
  return {
    async take(asker) {
      if (namesPerDayMax === 0 || (await takes.submit(asker))) return;
      throw refuse('RATE_LIMITED', {
        message: `This key has asked for the ${namesPerDayMax} names that it may have in a day. Try again after Retry-After.`,
        retryAfterSeconds: Math.ceil((DAY_MS - (now().getTime() % DAY_MS)) / 1_000),
      });
    },
  };
}

type Wanted = Asker & { count: number };

/** The n-th result says whether the n-th lookup is allowed; of one key's lookups the first are. */
async function takeForAll(
  { database, now, namesPerDayMax }: AllowanceDeps,
  askers: readonly Asker[],
): Promise<readonly boolean[]> {
  const wantedByName = new Map<string, Wanted>();
  for (const asker of askers) {
    const wanted = wantedByName.get(nameOf(asker)) ?? { ...asker, count: 0 };
    wanted.count += 1;
    wantedByName.set(nameOf(asker), wanted);
  }
  const wanted = [...wantedByName.values()];
  const rows = await database.query<{ book_id: string; actor: string; lookups: bigint }>(TAKE, [
    wanted.map(({ bookId }) => bookId),
    wanted.map(({ actor }) => actor),
    wanted.map(({ count }) => count),
    now().toISOString().slice(0, 'YYYY-MM-DD'.length),
    namesPerDayMax,
  ]);
  const leftByName = new Map<string, number>();
  for (const { book_id: bookId, actor, lookups } of rows) {
    const name = nameOf({ bookId, actor });
    const usedBefore = Number(lookups) - (wantedByName.get(name)?.count ?? 0);
    leftByName.set(name, namesPerDayMax - usedBefore);
  }
  return askers.map((asker) => {
    const left = leftByName.get(nameOf(asker)) ?? 0;
    leftByName.set(nameOf(asker), left - 1);
    return left > 0;
  });
}

const nameOf = ({ bookId, actor }: Asker): string => `${bookId} ${actor}`;

// A key that has used all lookups of today gets no row back. Rows are locked in one order, so that two processes cannot
// deadlock. At midnight a process whose clock is behind counts for the new day.
const TAKE: Statement = {
  name: 'take-name-lookups',
  text: `
    insert into name_lookup_days as d (book_id, actor, day, lookups)
    select w.book_id, w.actor, $4::date, w.lookups
    from unnest($1::uuid[], $2::text[], $3::bigint[]) as w (book_id, actor, lookups)
    order by w.book_id, w.actor
    on conflict (book_id, actor) do update
    set day = greatest(d.day, excluded.day),
        lookups = case when d.day < excluded.day then excluded.lookups else d.lookups + excluded.lookups end
    where d.day < excluded.day or d.lookups < $5::bigint
    returning d.book_id, d.actor, d.lookups`,
};
