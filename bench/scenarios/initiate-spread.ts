import { WAITING_PHONE } from '../load/transfer-request.ts';
import type { Scenario } from '../scenario.ts';
import { SERVICE } from '../sides/side-spec.ts';
import { MANY_CONNECTIONS } from './connections.ts';
import { loadRunner } from './load-runner.ts';

/** Many merchants at once, each with its own wallet and key. */
export const initiateSpread: Scenario = {
  name: 'initiate-spread',
  group: 'side by side',
  async open(context) {
    return [
      loadRunner(context, {
        name: 'initiate-spread',
        what: '1,000 wallets in 1,000 books',
        side: await context.side(SERVICE),
        connections: MANY_CONNECTIONS,
        workload: { kind: 'transfers', targets: context.targets, phone: WAITING_PHONE },
        isPaced: true,
      }),
    ];
  },
};
