import { WAITING_PHONE } from '../load/transfer-request.ts';
import type { Scenario } from '../scenario.ts';
import { SERVICE } from '../sides/side-spec.ts';
import { loadRunner } from './load-runner.ts';

/** The latency without any other load. */
export const initiateLow: Scenario = {
  name: 'initiate-low',
  group: 'side by side',
  async open(context) {
    return [
      loadRunner(context, {
        name: 'initiate-low',
        what: 'no other load',
        side: await context.side(SERVICE),
        connections: 1,
        workload: { kind: 'transfers', targets: context.targets.slice(0, 1), phone: WAITING_PHONE },
        isPaced: false,
      }),
    ];
  },
};
