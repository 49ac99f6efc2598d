import { type BackgroundLoop, createBackgroundLoop } from '../background/background-loop.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Database, Queryable, Statement } from './database.ts';

/** How often sizes are read. A look reads one row of the catalog for each table, and no data. */
const LOOK_INTERVAL_MS = 1_000;
/** Below this, 64 KiB, any plan is a good one. With half a megabyte a new cell cost ten times as much in PostgreSQL. */
const PAGES_MIN = 8;
/** A table that has grown by this factor needs other plans. */
const GROWTH_FACTOR = 4;
/**
 * A fifth of PostgreSQL's default: every statement is served by an index, so the size of a table matters to its plans
 * and rare values do not. With the default an analysis of `transfers` took 0.3 s in the middle of a payroll.
 */
const STATISTICS_TARGET = 20;

/**
 * Analyses tables that have outgrown their statistics. A plan that was made while a table was empty reads all of it for
 * every row, and stays until the next analysis. Without this, a service on a new database would be slow in its first
 * busy minute, until autovacuum analyses.
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
    const analyse = `analyze (skip_locked) ${identifier}`;
    // One message, so one transaction, which the setting ends with.
    const text = `set local default_statistics_target = ${STATISTICS_TARGET}; ${analyse}`;
    await database.query({ name: '', text });
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
      -- A role without the right would only get a warning at each look. Then autovacuum analyses the table.
      and case
        when current_setting('server_version_num')::integer >= 170000
        then has_table_privilege(c.oid, 'maintain')
        else pg_has_role(c.relowner, 'usage')
      end`,
};
