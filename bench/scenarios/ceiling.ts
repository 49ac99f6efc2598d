import { WAITING_PHONE } from '../load/transfer-request.ts';
import type { Scenario } from '../scenario.ts';
import { CEILING } from '../sides/side-spec.ts';
import { MANY_CONNECTIONS } from './connections.ts';
import { loadRunner } from './load-runner.ts';

/** The best that a web server of this kind can do: no server that stores anything can reach it. */
export const ceiling: Scenario = {
  name: 'ceiling',
  group: 'side by side',
  async open(context) {
    return [
      loadRunner(context, {
        name: 'ceiling',
        what: 'bare Fastify, same body, answers at once',
        side: await context.side(CEILING),
        connections: MANY_CONNECTIONS,
        workload: { kind: 'transfers', targets: context.targets.slice(0, 1), phone: WAITING_PHONE },
        isPaced: true,
      }),
    ];
  },
};
