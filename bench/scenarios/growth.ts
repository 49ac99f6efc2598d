import { WAITING_PHONE } from '../load/transfer-request.ts';
import type { Scenario } from '../scenario.ts';
import { serviceSide } from '../sides/side-spec.ts';
import { MANY_CONNECTIONS } from './connections.ts';
import { loadRunner } from './load-runner.ts';

/** With 1,000 wallets these are 2,000,000 finished transfers. */
const TRANSFERS_PER_WALLET = 2_000;

const YOUNG = serviceSide('growth-empty');
export const GROWN = serviceSide('growth-full', { historyPerWallet: TRANSFERS_PER_WALLET });

/** Whether finished transfers slow the service down: the same load on an empty database and on a full one. */
export const growth: Scenario = {
  name: 'growth',
  group: 'history',
  async open(context) {
    const common = {
      connections: MANY_CONNECTIONS,
      workload: { kind: 'transfers', targets: context.targets, phone: WAITING_PHONE },
      isPaced: true,
    } as const;
    return [
      loadRunner(context, {
        ...common,
        name: YOUNG.name,
        what: '1,000 wallets, on an empty database',
        side: await context.side(YOUNG),
      }),
      loadRunner(context, {
        ...common,
        name: GROWN.name,
        what: '1,000 wallets, after 2,000,000 finished transfers',
        side: await context.side(GROWN),
      }),
    ];
  },
};
