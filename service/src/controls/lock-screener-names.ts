import type { Queryable, Statement } from '../postgres/database.ts';

/**
 * For a change of the company's screeners: no book of this cell adds one until the commit, and those that are adding one
 * are waited for. It is taken before other locks of controls.
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
