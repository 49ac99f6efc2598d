import { flood } from '../attacker/flood.ts';
import { API, writeRequest } from '../attacker/write-request.ts';
import type { Attack } from './attack.ts';

const REQUESTS = { short: 500, long: 25_000 } as const;
const PATHS = ['/wp-login.php', '/.env', '/api/v2/keys', `${API}/nothing`, '/admin/'] as const;

/** What scanners request from every address on the internet. */
export const UNKNOWN_PATHS: readonly Attack[] = [
  {
    id: '7',
    title: '25,000 requests for paths that do not exist',
    timeMaxMs: 30_000,
    run: (attacker) =>
      flood(attacker, {
        connections: 32,
        requests: REQUESTS[attacker.form],
        batch: 10,
        make: (index) => writeRequest({ path: `${attacker.random.pick(PATHS)}?n=${index}` }),
      }),
  },
];
