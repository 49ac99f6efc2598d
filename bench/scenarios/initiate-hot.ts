import { WAITING_PHONE } from '../load/transfer-request.ts';
import type { Scenario } from '../scenario.ts';
import { SERVICE } from '../sides/side-spec.ts';
import { MANY_CONNECTIONS } from './connections.ts';
import { loadRunner } from './load-runner.ts';

/** A payroll day: one wallet pays all employees. */
export const initiateHot: Scenario = {
  name: 'initiate-hot',
  act: 'side by side',
  async open(stage) {
    return [
      loadRunner(stage, {
        name: 'initiate-hot',
        what: 'one wallet',
        side: await stage.side(SERVICE),
        connections: MANY_CONNECTIONS,
        workload: { kind: 'transfers', targets: stage.targets.slice(0, 1), phone: WAITING_PHONE },
        isPaced: true,
      }),
    ];
  },
};
