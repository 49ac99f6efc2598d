import type { ResourceSample } from '../journal/exchange-record.ts';
import type { Snapshot } from './snapshot.ts';
import { type Found, report } from './violation.ts';

const RSS_MAX_BYTES = 700 * 1024 * 1024;
/** Its own, those of the clients' and attackers' connections, and of operators'. */
const FILES_MAX = 1_500;
/** Writers and readers of one process. */
const WRITERS_MAX = 12;
const READERS_MAX = 8;
/**
 * How often payouts may come back from one route to the queue, unsent: several times what it takes to
 * notice that an operator is away and to look after it now and then.
 */
const RETURNS_MAX = 200;

/** I21: whatever happens, no process takes more than it was given, and nobody storms an operator. */
export function checkBounds(
  snapshot: Snapshot,
  samples: readonly ResourceSample[],
  found: Found,
): void {
  checkSamples(samples, found);
  checkReturns(snapshot, found);
}

/** Not sent because the operator asked for a pause: it was not called, so it was not stormed. */
const HELD_BACK = 'the operator asked to be called later';

/** An operator that is away is tried now and then, not as fast as the machine can. */
function checkReturns({ transfers, events }: Snapshot, found: Found): void {
  const routeOf = new Map(transfers.map(({ id, route }) => [id, route]));
  const tried = events.filter(
    ({ fromState, toState, cause }) =>
      fromState === 'submitting' && toState === 'queued' && cause !== HELD_BACK,
  );
  const returns = Map.groupBy(tried, ({ transferId }) => routeOf.get(transferId));
  for (const [route, all] of returns) {
    if (all.length <= RETURNS_MAX) continue;
    const says = `payouts came back from ${route} to the queue ${all.length} times`;
    report(found, 'I21', {}, says, { first: all[0], last: all.at(-1) });
  }
}

function checkSamples(samples: readonly ResourceSample[], found: Found): void {
  for (const { at, processes, connections } of samples) {
    for (const one of processes) {
      if (one.rssBytes > RSS_MAX_BYTES || one.files > FILES_MAX) {
        report(found, 'I21', {}, `${one.name} uses more than it may`, { at, ...one });
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
