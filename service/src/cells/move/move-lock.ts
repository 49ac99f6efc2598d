import { setTimeout as pause } from 'node:timers/promises';
import { AdminRefused } from '../../domain/admin-refused.ts';
import type { Database, Queryable, Statement } from '../../postgres/database.ts';
import { findPlacedMerchant, type PlacedMerchant } from './move-record.ts';

/** The server gives up a lock whose process has said nothing for `silentMaxMs`: its machine may have lost power. */
export type LockTimes = Readonly<{ pingEveryMs: number; silentMaxMs: number }>;
const TIMES: LockTimes = { pingEveryMs: 10_000, silentMaxMs: 60_000 };
/** An answer takes a millisecond. Without one for this long the lock counts as lost. */
const ANSWER_MAX_MS = 10_000;

export type MoveLock = Readonly<{
  /** Throws if another process may have the lock by now. To be called before each step. */
  check(): Promise<void>;
}>;

/** One process at a time works on the moves of a merchant; the lock ends with it. */
export async function lockMoves<T>(
  directory: Database,
  merchant: string,
  work: (merchant: PlacedMerchant, lock: MoveLock) => Promise<T>,
  times = TIMES,
): Promise<T> {
  return directory.longTransaction(async (tx) => {
    const { id, name } = await findPlacedMerchant(tx, merchant);
    await tx.query(END_IF_SILENT, [String(times.silentMaxMs)]);
    const [row] = await tx.query<{ locked: boolean }>(LOCK, [id]);
    if (row?.locked !== true) throw new AdminRefused('MOVE_UNDER_WAY', { name });
    // A check that fails is repeated before the next step, and stops it.
    const pinging = setInterval(() => void check(tx).catch(() => undefined), times.pingEveryMs);
    try {
      return await work(await findPlacedMerchant(tx, id), { check: () => check(tx) });
    } finally {
      clearInterval(pinging);
    }
  });
}

/** The lock is held as long as the transaction that took it answers. */
async function check(tx: Queryable): Promise<void> {
  const silence = pause(ANSWER_MAX_MS, 'silence', { ref: false });
  const answer = await Promise.race([tx.query(PING), silence]).catch((error: unknown) => {
    throw lockLost(error);
  });
  if (answer === 'silence') throw lockLost(undefined);
}

function lockLost(cause: unknown): Error {
  const message =
    'the lock on the moves of this merchant was lost: nothing more was done, run the command again';
  return new Error(message, { cause });
}

const PING: Statement = { name: '', text: 'select 1' };

const END_IF_SILENT: Statement = {
  name: '',
  text: `select set_config('idle_in_transaction_session_timeout', $1, true)`,
};

// The number tells this lock from others; it is arbitrary and must never change.
const LOCK: Statement = {
  name: '',
  text: `select pg_try_advisory_xact_lock(724631, hashtext($1)) as locked`,
};
