import type { Database, Statement } from '../../service/src/postgres/database.ts';
import type { LatencySummary } from '../load/latencies.ts';

/** How long the transfers accepted since then took from acceptance to success. */
export async function settleLatencies(database: Database, since: Date): Promise<LatencySummary> {
  const [latencies] = await database.query<LatencySummary>(LATENCIES, [since]);
  if (latencies === undefined) throw new Error('percentiles without a row');
  return latencies;
}

const LATENCIES: Statement = {
  name: '',
  text: `
    select p.count, (p.ms)[1] as p50, (p.ms)[2] as p90, (p.ms)[3] as p99, (p.ms)[4] as max
    from (
      select count(*)::integer as count,
             percentile_disc(array[0.5, 0.9, 0.99, 1]) within group (
               order by (1000 * extract(epoch from completed_at - created_at))::double precision
             ) as ms
      from transfers
      where created_at >= $1
    ) p`,
};
