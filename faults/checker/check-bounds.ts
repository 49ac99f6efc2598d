import type { ResourceSample } from '../journal/exchange-record.ts';
import { type Found, report } from './violation.ts';

const RSS_MAX_BYTES = 700 * 1024 * 1024;
/** Its own, those of the clients' and attackers' connections, and of operators'. */
const FILES_MAX = 1_500;
/** Writers and readers of one process. */
const WRITERS_MAX = 6;
const READERS_MAX = 8;

/** I21: whatever happens, no process takes more than it was given. */
export function checkBounds(samples: readonly ResourceSample[], found: Found): void {
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
