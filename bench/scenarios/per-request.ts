import { WAITING_PHONE } from '../load/transfer-request.ts';
import type { Scenario } from '../scenario.ts';
import { PER_REQUEST } from '../sides/side-spec.ts';
import { MANY_CONNECTIONS } from './connections.ts';
import { loadRunner } from './load-runner.ts';

/** The usual design, on a wallet that all clients pay from. */
export const perRequest: Scenario = {
  name: 'per-request',
  group: 'side by side',
  async open(context) {
    return [
      loadRunner(context, {
        name: 'per-request',
        what: 'one wallet, one transaction per request',
        side: await context.side(PER_REQUEST),
        connections: MANY_CONNECTIONS,
        workload: { kind: 'transfers', targets: context.targets.slice(0, 1), phone: WAITING_PHONE },
        isPaced: true,
      }),
    ];
  },
};
