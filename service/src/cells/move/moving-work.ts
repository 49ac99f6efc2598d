import type { Queryable, Statement } from '../../postgres/database.ts';

/**
 * Owns the leases of all work of a merchant that moves. The triggers of transfers, deliveries, screenings and payout
 * files refuse changes of rows that it holds; the number is in the migration too.
 */
const MOVING = 'ffffffff-ffff-4fff-bfff-ffffffffffff';

/** A thousand years. What is due then is claimed by no process, and its own time is found again by subtraction. */
const PUT_OFF_HOURS = 8_766_000;
const PUT_OFF = `interval '${PUT_OFF_HOURS} hours'`;
/** What is due later than this is put off. */
export const IS_PUT_OFF_PAST = `now() + interval '4383000 hours'`;

/** When work is due, whether it is put off or not: what is later than this was due in 1970 or later. */
export function withoutPutOff(time: Date): Date;
export function withoutPutOff(time: Date | null): Date | null;
export function withoutPutOff(time: Date | null): Date | null {
  const putOffMs = PUT_OFF_HOURS * 3_600_000;
  if (time === null || time.getTime() < putOffMs) return time;
  return new Date(time.getTime() - putOffMs);
}

type Work = Readonly<{
  table: string;
  /** When it is due, or until when it is leased. */
  time: string;
  hasLease: boolean;
}>;

/** Every table with work that becomes due. What is put off here is all that background loops look for. */
export const WORK: readonly Work[] = [
  { table: 'transfers', time: 'next_action_at', hasLease: true },
  { table: 'deliveries', time: 'next_attempt_at', hasLease: true },
  { table: 'screenings', time: 'next_attempt_at', hasLease: true },
  { table: 'payout_files', time: 'next_action_at', hasLease: true },
  { table: 'schedules', time: 'next_at', hasLease: false },
  {
    table: 'schedule_occurrences',

    time: 'next_action_at',
    hasLease: false,
  },
  { table: 'recipients', time: 'next_resolve_at', hasLease: false },
];

export type LiveWork = Readonly<{ transfers: number; others: number }>;

/**
 * Takes all work of these books that no process has leased now, and says how much is leased still. Rows that a
 * statement has locked at this moment are taken the next time.
 */
export async function putOffWork(
  tx: Queryable,
  { books, evenLeased }: Readonly<{ books: readonly string[]; evenLeased: boolean }>,
): Promise<LiveWork> {
  let others = 0;
  for (const work of WORK) {
    // What was sent to an operator may be on the wire until its lease ends: a transfer is always waited for.
    const isWaitedFor = work.table === 'transfers' || !evenLeased;
    await tx.query(putOff(work, isWaitedFor), [books]);
    if (work.table !== 'transfers') others += await countRemaining(tx, work, books);
  }
  await tx.query(TAKE_UNDATED, [books]);
  const [left] = await tx.query<{ count: number }>(COUNT_TRANSFERS, [books]);
  return { transfers: left?.count ?? 0, others };
}

/** Gives back what was put off, each at its own time. */
export async function resumeWork(tx: Queryable, books: readonly string[]): Promise<void> {
  for (const { table, time, hasLease } of WORK) {
    const text = hasLease
      ? `
        update ${table} set lease_owner = null, ${time} = ${time} - ${PUT_OFF}
        where book_id = any ($1::uuid[]) and lease_owner = '${MOVING}'`
      : `
        update ${table} set ${time} = ${time} - ${PUT_OFF}
        where book_id = any ($1::uuid[]) and ${time} > ${IS_PUT_OFF_PAST}`;
    await tx.query({ name: '', text }, [books]);
  }
}

// By the places of the rows: a join by their keys is planned by statistics that may be from before a merchant arrived.
function putOff({ table, time, hasLease }: Work, isWaitedFor: boolean): Statement {
  const isFree = hasLease
    ? `t.lease_owner is distinct from '${MOVING}'
         ${isWaitedFor ? `and (t.lease_owner is null or t.${time} <= now())` : ''}`
    : `t.${time} < ${IS_PUT_OFF_PAST}`;
  return {
    name: '',
    text: `
      update ${table} t
      set ${hasLease ? `lease_owner = '${MOVING}', ` : ''}${time} = t.${time} + ${PUT_OFF}
      where t.ctid = any (array(
        select t.ctid from ${table} t
        where t.book_id = any ($1::uuid[]) and t.${time} is not null and ${isFree}
        for update skip locked
      ))`,
  };
}

async function countRemaining(
  tx: Queryable,
  { table, time, hasLease }: Work,
  books: readonly string[],
): Promise<number> {
  const isOurs = hasLease ? `lease_owner = '${MOVING}'` : `${time} > ${IS_PUT_OFF_PAST}`;
  const text = `
    select count(*)::integer as count from ${table}
    where book_id = any ($1::uuid[]) and ${time} is not null and ${isOurs} is not true`;
  const [row] = await tx.query<{ count: number }>({ name: '', text }, [books]);
  return row?.count ?? 0;
}

// Those that wait for a person have no time; evidence could move them all the same.
const TAKE_UNDATED: Statement = {
  name: '',
  text: `
    update transfers t set lease_owner = '${MOVING}'
    where t.ctid = any (array(
      select t.ctid from transfers t
      where t.book_id = any ($1::uuid[]) and t.completed_at is null and t.next_action_at is null
        and t.lease_owner is distinct from '${MOVING}'
      for update skip locked
    ))`,
};

const COUNT_TRANSFERS: Statement = {
  name: '',
  text: `
    select (
      (
        select count(*) from transfers t
        where t.book_id = any ($1::uuid[]) and t.next_action_at is not null
          and t.lease_owner is distinct from '${MOVING}'
      ) + (
        select count(*) from transfers t
        where t.book_id = any ($1::uuid[]) and t.completed_at is null and t.next_action_at is null
          and t.lease_owner is distinct from '${MOVING}'
      )
    )::integer as count`,
};
