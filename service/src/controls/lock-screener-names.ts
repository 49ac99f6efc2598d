import type { Queryable, Statement } from '../postgres/database.ts';

/**
 * For a change of the company's screeners: it waits for books of this cell that are adding a screener, and until the commit no
 * book adds one. It is taken before other locks of controls.
 */
export async function lockScreenerNames(tx: Queryable): Promise<void> {
  await tx.query(LOCK);
}

/** For adding a book's screener: a change of the company's is committed before, or sees this one. */
export async function shareScreenerNames(tx: Queryable): Promise<void> {
  await tx.query(SHARE);
}

// Several cells may have their tables in one database.
const LOCK: Statement = {
  name: '',
  text: `select pg_advisory_xact_lock(hashtextextended('screener names ' || current_schema(), 0))`,
};

const SHARE: Statement = {
  name: '',
  text: `select pg_advisory_xact_lock_shared(hashtextextended('screener names ' || current_schema(), 0))`,
};
