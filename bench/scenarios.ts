import { fileURLToPath } from 'node:url';

export type Side = 'ceiling' | 'per-request' | 'service';

export type Scenario = Readonly<{
  name: ScenarioName;
  /** What a person reads in the table. */
  what: string;
  side: Side;
  connections: number;
  /** Wallets that are paid from, each in a book of its own. */
  wallets: number;
  /** Alone, one after the other is all there is: no queue can hide. */
  hasOpenLoop: boolean;
}>;

export const SCENARIO_NAMES = [
  'per-request',
  'initiate-hot',
  'ceiling',
  'initiate-spread',
  'per-request-low',
  'initiate-low',
] as const;
export type ScenarioName = (typeof SCENARIO_NAMES)[number];

const MANY = 256;
const SPREAD = 1_000;

/** In the order in which they take turns: what is compared stands close together. */
export const SCENARIOS: readonly Scenario[] = [
  {
    name: 'per-request',
    what: 'one wallet, one transaction per request',
    side: 'per-request',
    connections: MANY,
    wallets: 1,
    hasOpenLoop: true,
  },
  {
    name: 'initiate-hot',
    what: 'one wallet',
    side: 'service',
    connections: MANY,
    wallets: 1,
    hasOpenLoop: true,
  },
  {
    name: 'ceiling',
    what: 'bare Fastify, same body, answers at once',
    side: 'ceiling',
    connections: MANY,
    wallets: 1,
    hasOpenLoop: true,
  },
  {
    name: 'initiate-spread',
    what: '1,000 wallets in 1,000 books',
    side: 'service',
    connections: MANY,
    wallets: SPREAD,
    hasOpenLoop: true,
  },
  {
    name: 'per-request-low',
    what: 'nobody else there, one transaction per request',
    side: 'per-request',
    connections: 1,
    wallets: 1,
    hasOpenLoop: false,
  },
  {
    name: 'initiate-low',
    what: 'nobody else there',
    side: 'service',
    connections: 1,
    wallets: 1,
    hasOpenLoop: false,
  },
];

const pathOf = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

export const SERVER_SCRIPTS: Readonly<Record<Side, string>> = {
  ceiling: pathOf('./ceiling-server.ts'),
  'per-request': pathOf('./per-request-server.ts'),
  service: pathOf('../service/src/main.ts'),
};
