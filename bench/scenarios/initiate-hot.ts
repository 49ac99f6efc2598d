import { WAITING_PHONE } from '../load/transfer-request.ts';
import type { Scenario } from '../scenario.ts';
import { SERVICE } from '../sides/side-spec.ts';
import { MANY_CONNECTIONS } from './connections.ts';
import { loadRunner } from './load-runner.ts';

/** A payroll day: one wallet pays all employees. */
export const initiateHot: Scenario = {
  name: 'initiate-hot',
  group: 'side by side',
  async open(context) {
    return [
      loadRunner(context, {
        name: 'initiate-hot',
        what: 'one wallet',
        side: await context.side(SERVICE),
        connections: MANY_CONNECTIONS,
        workload: { kind: 'transfers', targets: context.targets.slice(0, 1), phone: WAITING_PHONE },
        isPaced: true,
      }),
    ];
  },
};
