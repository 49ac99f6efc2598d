import { encodeCursor } from '../../service/src/http/merchant-api/read-page.ts';
import type { Statement } from '../../service/src/postgres/database.ts';
import { withBenchDatabase } from '../database/bench-database.ts';
import type { Lookup } from '../load/read-request.ts';
import type { Target } from '../load/transfer-request.ts';
import type { Scenario } from '../scenario.ts';
import { GROWN } from './growth.ts';
import { loadRunner } from './load-runner.ts';

/** As many connections as dashboards and reconciliation scripts may have open. */
const READERS = 64;
/** Different objects to look up, so that different pages of the database are read. */
const LOOKUPS = 8_192;
const PATH = '/api/v1/payments/transfers';

type Sample = Readonly<{ apiKey: string; id: string; reference: string }>;

/** Looks up objects among 2,000,000. */
export const read: Scenario = {
  name: 'read',
  act: 'history',
  async open(stage) {
    const side = await stage.side(GROWN);
    const samples = await takeSamples(side.databaseUrl ?? '', stage.targets);
    const runner = (name: string, what: string, toPath: (sample: Sample) => string) => {
      const lookups = samples.map((sample): Lookup => {
        return { apiKey: sample.apiKey, path: toPath(sample) };
      });
      return loadRunner(stage, {
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

async function takeSamples(
  databaseUrl: string,
  targets: readonly Target[],
): Promise<readonly Sample[]> {
  const keyOfWallet = new Map(targets.map(({ walletId, apiKey }) => [walletId, apiKey]));
  const rows = await withBenchDatabase(databaseUrl, (database) =>
    database.query<{ wallet_id: string; id: string; reference: string }>(SAMPLE, [LOOKUPS]),
  );
  return rows.flatMap(({ wallet_id, id, reference }) => {
    const apiKey = keyOfWallet.get(wallet_id);
    return apiKey === undefined ? [] : [{ apiKey, id, reference }];
  });
}

const SAMPLE: Statement = {
  name: '',
  text: `
    select wallet_id, id, reference
    from transfers tablesample system (1)
    where completed_at is not null
    order by random()
    limit $1`,
};
