import { WAITING_PHONE } from '../load/transfer-request.ts';
import type { Scenario } from '../scenario.ts';
import { SERVICE, serviceSide } from '../sides/side-spec.ts';
import { MANY_CONNECTIONS } from './connections.ts';
import { loadRunner } from './load-runner.ts';

const CELLS = 8;

/** What it costs that merchants are spread over cells, here schemas of one server. */
export const cells: Scenario = {
  name: 'cells',
  act: 'side by side',
  async open(stage) {
    const workload = { kind: 'transfers', targets: stage.targets, phone: WAITING_PHONE } as const;
    const options = { connections: MANY_CONNECTIONS, workload, isPaced: true };
    return [
      loadRunner(stage, {
        ...options,
        name: 'cells-1',
        what: '1,000 books in one cell',
        side: await stage.side(SERVICE),
      }),
      loadRunner(stage, {
        ...options,
        name: 'cells-8',
        what: `1,000 books in ${CELLS} cells of one server`,
        side: await stage.side(serviceSide('cells', { cells: CELLS })),
      }),
    ];
  },
};
