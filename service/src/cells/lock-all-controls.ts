import type { Queryable, Statement } from '../postgres/database.ts';

/** Tells this lock from others. It is in the trigger that adds controls to new books too, and must never change. */
const CONTROLS_LOCK = 7_246_310_580;

/**
 * For a change of controls that counts in all books: no book of this cell is made or opened until the commit, and those
 * that are being made or opened are waited for.
 */
export async function lockAllControls(tx: Queryable): Promise<void> {
  await tx.query(LOCK);
}

/** For opening books: a change that counts in all books is committed before, or sees them open. */
export async function shareAllControls(tx: Queryable): Promise<void> {
  await tx.query(SHARE);
}

const LOCK: Statement = {
  name: 'lock-all-controls',
  text: `select pg_advisory_xact_lock(hashtextextended(current_schema(), ${CONTROLS_LOCK}))`,
};

const SHARE: Statement = {
  name: '',
  text: `select pg_advisory_xact_lock_shared(hashtextextended(current_schema(), ${CONTROLS_LOCK}))`,
};
