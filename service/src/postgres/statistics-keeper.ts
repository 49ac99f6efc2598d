import { type BackgroundLoop, createBackgroundLoop } from '../background/background-loop.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Database, Queryable, Statement } from './database.ts';

/** How often sizes are looked at; a look reads one row per table and touches no data. */
const LOOK_INTERVAL_MS = 1_000;
/** Below this, half a megabyte, any plan is a good one. */
const PAGES_MIN = 64;
/** Grown so many times over, a table is another one to the planner. */
const GROWTH_FACTOR = 4;

/**
 * Has tables analysed as soon as they have outgrown what the planner knows of them. A plan that was made
 * while a table was empty reads all of it for every row, and stays until the next analysis: a service on
 * a new database would spend its first busy minute so, until autovacuum comes by.
 */
export function createStatisticsKeeper(
  deps: Readonly<{
    database: Database;
    /** The tables that are looked at. */
    tables: readonly string[];
    logger: Pick<Logger, 'info' | 'warn'>;
  }>,
): BackgroundLoop {
  return createBackgroundLoop({
    async round() {
      const tables = await refreshStatistics(deps.database, deps.tables);
      for (const table of tables) deps.logger.info({ table }, 'analysed a table that has grown');
      return LOOK_INTERVAL_MS;
    },
    what: 'looking at the size of tables',
    logger: deps.logger,
    retryInMs: LOOK_INTERVAL_MS,
  });
}

/** Returns the tables that had outgrown their statistics and have new ones. */
export async function refreshStatistics(
  database: Queryable,
  tables: readonly string[],
): Promise<readonly string[]> {
  const grown = await database.query<{ name: string; identifier: string }>(FIND_GROWN, [
    tables,
    PAGES_MIN,
    GROWTH_FACTOR,
  ]);
  // The holder of the lock analyses or vacuums the table, which is enough.
  for (const { identifier } of grown) {
    await database.query({ name: '', text: `analyze (skip_locked) ${identifier}` });
  }
  return grown.map(({ name }) => name);
}

const FIND_GROWN: Statement = {
  name: 'find-grown-tables',
  text: `
    select t.name, s.relid::regclass::text as identifier
    from unnest($1::text[]) as t (name)
    join pg_class c on c.oid = to_regclass(t.name)
    cross join lateral (
      select c.oid as relid,
             pg_relation_size(c.oid) / current_setting('block_size')::integer as pages
    ) s
    where s.pages >= $2::integer and s.pages > $3::integer * c.relpages
      -- Who may not is warned and passed over each time. Then it is left to autovacuum.
      and case
        when current_setting('server_version_num')::integer >= 170000
        then has_table_privilege(c.oid, 'maintain')
        else pg_has_role(c.relowner, 'usage')
      end`,
};
