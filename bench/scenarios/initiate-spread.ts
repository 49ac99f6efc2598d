import { WAITING_PHONE } from '../load/transfer-request.ts';
import type { Scenario } from '../scenario.ts';
import { SERVICE } from '../sides/side-spec.ts';
import { MANY_CONNECTIONS } from './connections.ts';
import { loadRunner } from './load-runner.ts';

/** Many merchants at once, each with its own wallet and key. */
export const initiateSpread: Scenario = {
  name: 'initiate-spread',
  act: 'side by side',
  async open(stage) {
    return [
      loadRunner(stage, {
        name: 'initiate-spread',
        what: '1,000 wallets in 1,000 books',
        side: await stage.side(SERVICE),
        connections: MANY_CONNECTIONS,
        workload: { kind: 'transfers', targets: stage.targets, phone: WAITING_PHONE },
        isPaced: true,
      }),
    ];
  },
};
