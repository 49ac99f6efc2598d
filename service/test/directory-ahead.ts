import type { Database, Queryable } from '../src/postgres/database.ts';

/**
 * The directory as it is when a person has lost all roles and the copy that a cell reads does not know yet: reads
 * behind the removal, which is undone.
 */
export function directoryWithout(database: Database, personId: string): Queryable {
  return {
    async query(statement, values) {
      class Undo extends Error {}
      let rows: Awaited<ReturnType<Queryable['query']>> = [];
      const read = database.transaction(async (tx) => {
        for (const table of ['merchant_roles', 'staff_roles']) {
          await tx.query({ name: '', text: `delete from ${table} where person_id = $1` }, [
            personId,
          ]);
        }
        rows = await tx.query(statement, values);
        throw new Undo();
      });
      await read.catch((error: unknown) => {
        if (!(error instanceof Undo)) throw error;
      });
      return rows as never;
    },
  };
}
