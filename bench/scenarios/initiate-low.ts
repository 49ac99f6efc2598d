import { WAITING_PHONE } from '../load/transfer-request.ts';
import type { Scenario } from '../scenario.ts';
import { SERVICE } from '../sides/side-spec.ts';
import { loadRunner } from './load-runner.ts';

/** The latency without any other load. */
export const initiateLow: Scenario = {
  name: 'initiate-low',
  act: 'side by side',
  async open(stage) {
    return [
      loadRunner(stage, {
        name: 'initiate-low',
        what: 'no other load',
        side: await stage.side(SERVICE),
        connections: 1,
        workload: { kind: 'transfers', targets: stage.targets.slice(0, 1), phone: WAITING_PHONE },
        isPaced: false,
      }),
    ];
  },
};
