import { WAITING_PHONE } from '../load/transfer-request.ts';
import type { Scenario } from '../scenario.ts';
import { SERVICE, serviceSide } from '../sides/side-spec.ts';
import { MANY_CONNECTIONS } from './connections.ts';
import { loadRunner } from './load-runner.ts';

/** As many rules as a policy may have. */
const RULES = 200;

/** What a policy costs whose rules the order alone decides, against none. */
export const policy: Scenario = {
  name: 'policy',
  act: 'side by side',
  async open(stage) {
    const ruled = await stage.side(serviceSide('policy', { policyRules: RULES }));
    const plain = await stage.side(SERVICE);
    const workload = {
      kind: 'transfers',
      targets: stage.targets.slice(0, 1),
      phone: WAITING_PHONE,
    } as const;
    const options = { connections: MANY_CONNECTIONS, workload, isPaced: true };
    return [
      loadRunner(stage, { ...options, name: 'policy-none', what: 'without a policy', side: plain }),
      loadRunner(stage, {
        ...options,
        name: 'policy-rules',
        what: `a policy of ${RULES} simple rules`,
        side: ruled,
      }),
    ];
  },
};
