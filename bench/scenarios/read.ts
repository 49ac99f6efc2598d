import { encodeCursor } from '../../service/src/http/merchant-api/read-page.ts';
import { withBenchDatabase } from '../database/bench-database.ts';
import { type PastTransfer, samplePast } from '../database/sample-past.ts';
import type { Lookup } from '../load/read-request.ts';
import type { Scenario } from '../scenario.ts';
import { GROWN } from './growth.ts';
import { loadRunner } from './load-runner.ts';

/** As many connections as dashboards and reconciliation scripts may have open. */
const READERS = 64;
const PATH = '/api/v1/payments/transfers';

/** Looks up objects among 2,000,000. */
export const read: Scenario = {
  name: 'read',
  group: 'history',
  async open(context) {
    const side = await context.side(GROWN);
    const samples = await withBenchDatabase(side.databaseUrl ?? '', samplePast);
    const keys = new Map(context.targets.map(({ walletId, apiKey }) => [walletId, apiKey]));
    const runner = (name: string, what: string, toPath: (past: PastTransfer) => string) => {
      const lookups = samples.map((past): Lookup => {
        return { apiKey: keys.get(past.walletId) ?? '', path: toPath(past) };
      });
      return loadRunner(context, {
        name,
        what,
        side,
        connections: READERS,
        workload: { kind: 'lookups', lookups },
        isPaced: true,
      });
    };
    return [
      runner('read-id', 'one of 2,000,000 by its id', ({ id }) => `${PATH}/${id}`),
      runner(
        'read-reference',
        'one of 2,000,000 by its reference',
        ({ reference }) => `${PATH}/status/${reference}`,
      ),
      runner('read-list', 'the list, 50 to a page, from anywhere', ({ id }) => {
        return `${PATH}?limit=50&cursor=${encodeCursor('transfers', id)}`;
      }),
    ];
  },
};
