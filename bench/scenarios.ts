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
  /** The rate of the open loop, as a share of what the closed loop reached; null is no open loop. */
  openLoopShare: number | null;
}>;

export const SCENARIO_NAMES = [
  'ceiling',
  'per-request',
  'initiate-hot',
  'initiate-spread',
  'per-request-low',
  'initiate-low',
] as const;
export type ScenarioName = (typeof SCENARIO_NAMES)[number];

const MANY = 256;
const SPREAD = 1_000;
/** Half the speed: busy, with room to recover from a stall. */
const HALF = 0.5;

/** In the order in which they take turns. */
export const SCENARIOS: readonly Scenario[] = [
  {
    name: 'ceiling',
    what: 'bare Fastify, same body, answers at once',
    side: 'ceiling',
    connections: MANY,
    wallets: 1,
    openLoopShare: HALF,
  },
  {
    name: 'per-request',
    what: 'one wallet, one transaction per request',
    side: 'per-request',
    connections: MANY,
    wallets: 1,
    openLoopShare: HALF,
  },
  {
    name: 'initiate-hot',
    what: 'one wallet',
    side: 'service',
    connections: MANY,
    wallets: 1,
    openLoopShare: HALF,
  },
  {
    name: 'initiate-spread',
    what: '1,000 wallets in 1,000 books',
    side: 'service',
    connections: MANY,
    wallets: SPREAD,
    openLoopShare: HALF,
  },
  {
    name: 'per-request-low',
    what: 'nobody else there, one transaction per request',
    side: 'per-request',
    connections: 1,
    wallets: 1,
    openLoopShare: null,
  },
  {
    name: 'initiate-low',
    what: 'nobody else there',
    side: 'service',
    connections: 1,
    wallets: 1,
    openLoopShare: null,
  },
];

const pathOf = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

export const SERVER_SCRIPTS: Readonly<Record<Side, string>> = {
  ceiling: pathOf('./ceiling-server.ts'),
  'per-request': pathOf('./per-request-server.ts'),
  service: pathOf('../service/src/main.ts'),
};
