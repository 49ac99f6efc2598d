import { WAITING_PHONE } from '../load/transfer-request.ts';
import type { Scenario } from '../scenario.ts';
import { SERVICE, serviceSide } from '../sides/side-spec.ts';
import { MANY_CONNECTIONS } from './connections.ts';
import { loadRunner } from './load-runner.ts';

/** As many rules as a policy may have. */
const RULES = 200;

/** Measures the cost of a policy whose rules need only the order, compared with no policy. */
export const policy: Scenario = {
  name: 'policy',
  group: 'side by side',
  async open(context) {
    const ruled = await context.side(serviceSide('policy', { policyRules: RULES }));
    const plain = await context.side(SERVICE);
    const workload = {
      kind: 'transfers',
      targets: context.targets.slice(0, 1),
      phone: WAITING_PHONE,
    } as const;
    const options = { connections: MANY_CONNECTIONS, workload, isPaced: true };
    return [
      loadRunner(context, {
        ...options,
        name: 'policy-none',
        what: 'without a policy',
        side: plain,
      }),
      loadRunner(context, {
        ...options,
        name: 'policy-rules',
        what: `a policy of ${RULES} simple rules`,
        side: ruled,
      }),
    ];
  },
};
