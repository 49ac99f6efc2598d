import { escapeIdentifier } from 'pg';
import { prepareServer } from '../../service/src/cells/prepare-server.ts';
import type { Database, Queryable, Row } from '../../service/src/postgres/database.ts';
import { withBenchDatabase } from './bench-database.ts';
import { MERCHANT_TABLES } from './spread-over-cells.ts';

/** Two addresses of the same cells: where they are, and where they go. */
type Places = Readonly<{ from: string; to: string; role: string; urlVariable: string }>;

/**
 * Moves the second half of the cells to an empty database of another server. Nothing runs yet, and the merchants have
 * nothing but their wallets.
 */
export async function moveToSecondServer({ from, to, role, urlVariable }: Places): Promise<void> {
  await withBenchDatabase(from, (source) =>
    withBenchDatabase(to, async (target) => {
      const cells = await source.query<{ name: string; schema: string }>(LIST);
      const moved = cells.slice(Math.ceil(cells.length / 2));
      await prepareServer(target, { cells: moved, role, say: () => undefined });
      for (const { schema } of moved) await moveSchema(source, target, schema);
      const names = moved.map(({ name }) => name);
      await run(source, 'update directory.cells set url_variable = $1 where name = any ($2)', [
        urlVariable,
        names,
      ]);
    }),
  );
}

const LIST = { name: '', text: 'select name, schema from directory.cells order by schema desc' };

async function moveSchema(source: Database, target: Database, schema: string): Promise<void> {
  const tables = await source.query<{ table: string }>(MERCHANT_TABLES, [schema]);
  await target.transaction(async (tx) => {
    for (const { table } of tables) {
      const name = `${escapeIdentifier(schema)}.${escapeIdentifier(table)}`;
      const [rows] = await run<{ all: string }>(
        source,
        `select coalesce(jsonb_agg(to_jsonb(t)), '[]')::text as all from ${name} t`,
      );
      // What the triggers make for new rows is copied with the rest.
      await run(tx, `alter table ${name} disable trigger user`);
      await run(
        tx,
        `insert into ${name} select * from jsonb_populate_recordset(null::${name}, $1::jsonb)`,
        [rows?.all],
      );
      await run(tx, `alter table ${name} enable trigger user`);
    }
  });
  await run(source, `drop schema ${escapeIdentifier(schema)} cascade`);
}

function run<R extends Row>(
  database: Queryable,
  text: string,
  values: readonly unknown[] = [],
): Promise<R[]> {
  return database.query<R>({ name: '', text }, values);
}
