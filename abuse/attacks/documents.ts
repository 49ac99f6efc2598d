import { flood } from '../attacker/flood.ts';
import { writeRequest } from '../attacker/write-request.ts';
import type { Attack } from './attack.ts';
import { expectRefusals } from './expect-refusals.ts';

const REQUESTS = { short: 300, long: 10_000 } as const;
const DOCUMENTS = { status: 200, burst: 60, perSecond: 20 } as const;

/** The largest answers that need no key, requested as fast as possible. */
export const DOCUMENTS_FLOOD: Attack = {
  id: '10',
  title: '10,000 requests for /openapi.json whose answers are read',
  timeMaxMs: 20_000,
  async run(attacker) {
    const startedMs = performance.now();
    await flood(attacker, {
      connections: 16,
      requests: REQUESTS[attacker.form],
      batch: 1,
      make: () => writeRequest({ path: '/openapi.json' }),
    });
    expectRefusals(attacker, { ...DOCUMENTS, elapsedMs: performance.now() - startedMs });
  },
};
