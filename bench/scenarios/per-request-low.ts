import { WAITING_PHONE } from '../load/transfer-request.ts';
import type { Scenario } from '../scenario.ts';
import { PER_REQUEST } from '../sides/side-spec.ts';
import { loadRunner } from './load-runner.ts';

/** The same for one transaction per request. */
export const perRequestLow: Scenario = {
  name: 'per-request-low',
  group: 'side by side',
  async open(context) {
    return [
      loadRunner(context, {
        name: 'per-request-low',
        what: 'no other load, one transaction per request',
        side: await context.side(PER_REQUEST),
        connections: 1,
        workload: { kind: 'transfers', targets: context.targets.slice(0, 1), phone: WAITING_PHONE },
        isPaced: false,
      }),
    ];
  },
};
