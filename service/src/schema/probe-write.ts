import type { Database, Statement } from '../postgres/database.ts';

/** More than half of a page, so that no two fit into one. */
const FILLING_LENGTH = 5_000;

/** Ends the transaction, and says that all went well. */
const ROLL_BACK = new Error('the probe is rolled back');

/**
 * Throws when the database cannot write, as on a full disk or a standby. Connecting and reading show neither. Writes
 * one page and keeps nothing.
 */
export async function probeWrite(database: Database): Promise<void> {
  try {
    await database.transaction(async (tx) => {
      await tx.query(INSERT, [FILLING_LENGTH]);
      throw ROLL_BACK;
    });
  } catch (error) {
    if (error !== ROLL_BACK) throw error;
  }
}

const INSERT: Statement = {
  name: 'probe-write',
  text: `insert into write_probes (filling) values (repeat('x', $1::integer))`,
};
