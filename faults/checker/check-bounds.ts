import type { ResourceSample } from '../journal/exchange-record.ts';
import type { Snapshot } from './snapshot.ts';
import { type Found, report } from './violation.ts';

const RSS_MAX_BYTES = 700 * 1024 * 1024;
/** Its own files and the connections of clients, attackers and operators. */
const FILES_MAX = 1_500;
/** The database connections of one process's writer and reader pools. */
const WRITERS_MAX = 12;
const READERS_MAX = 8;
/**
 * How often payouts may return unsent from one route to the queue: several times what is needed to notice
 * that an operator is down and to try it now and then.
 */
const RETURNS_MAX = 200;

/** I21: no process exceeds its resource limits, and no operator that is down gets too many tries. */
export function checkBounds(
  snapshot: Snapshot,
  samples: readonly ResourceSample[],
  found: Found,
): void {
  checkSamples(samples, found);
  checkReturns(snapshot, found);
}

/** The cause of returns without a call to the operator, which do not count. It must match the service's text. */
const PAUSED_BY_OPERATOR = 'NOT_SENT the operator asked to be called later';

/** An operator that is down is tried now and then, not in a tight loop. */
function checkReturns({ transfers, events }: Snapshot, found: Found): void {
  const routeOf = new Map(transfers.map(({ id, route }) => [id, route]));
  const tried = events.filter(
    ({ fromState, toState, cause }) =>
      fromState === 'submitting' && toState === 'queued' && cause !== PAUSED_BY_OPERATOR,
  );
  const returns = Map.groupBy(tried, ({ transferId }) => routeOf.get(transferId));
  for (const [route, all] of returns) {
    if (all.length <= RETURNS_MAX) continue;
    const says = `payouts returned from ${route} to the queue ${all.length} times`;
    report(found, 'I21', {}, says, { first: all[0], last: all.at(-1) });
  }
}

function checkSamples(samples: readonly ResourceSample[], found: Found): void {
  for (const { at, processes, connections } of samples) {
    for (const one of processes) {
      if (one.rssBytes > RSS_MAX_BYTES || one.files > FILES_MAX) {
        report(found, 'I21', {}, `${one.name} exceeds its limits`, { at, ...one });
      }
    }
    for (const [name, count] of Object.entries(connections ?? {})) {
      const max = name.startsWith('kafue writer') ? WRITERS_MAX : READERS_MAX;
      if (count > max) {
        report(found, 'I21', {}, `${name} has ${count} connections to the database`, { at });
      }
    }
  }
}
