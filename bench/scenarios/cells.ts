import { openBenchServer } from '../database/bench-database.ts';
import { WAITING_PHONE } from '../load/transfer-request.ts';
import type { Scenario } from '../scenario.ts';
import { SERVICE, serviceSide } from '../sides/side-spec.ts';
import { MANY_CONNECTIONS } from './connections.ts';
import { loadRunner } from './load-runner.ts';

const CELLS = 8;

/** What it costs that merchants are spread over cells: schemas of one server, and of two. */
export const cells: Scenario = {
  name: 'cells',
  group: 'side by side',
  async open(context) {
    const workload = { kind: 'transfers', targets: context.targets, phone: WAITING_PHONE } as const;
    const options = { connections: MANY_CONNECTIONS, workload, isPaced: true };
    const secondServer = await openBenchServer({ say: () => undefined });
    context.afterwards(() => secondServer.close());
    return [
      loadRunner(context, {
        ...options,
        name: 'cells-1',
        what: '1,000 books in one cell',
        side: await context.side(SERVICE),
      }),
      loadRunner(context, {
        ...options,
        name: 'cells-8',
        what: `1,000 books in ${CELLS} cells of one server`,
        side: await context.side(serviceSide('cells', { cells: CELLS })),
      }),
      loadRunner(context, {
        ...options,
        name: 'cells-two-servers',
        what: `1,000 books in ${CELLS} cells, half of them on a second server`,
        side: await context.side(serviceSide('cells-two-servers', { cells: CELLS, secondServer })),
      }),
    ];
  },
};
