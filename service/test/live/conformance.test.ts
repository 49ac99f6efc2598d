import { after, before, describe } from 'node:test';
import { type Connection, connectorConformance } from './connector-conformance.ts';
import { type LiveWorld, openLiveWorld } from './live-world.ts';

/** A hundred times as fast as life: fifteen minutes are nine seconds. */
const TIME_SCALE = 0.01;

const ASKED = {
  inquires: true,
  tellsPending: true,
  resolvesNames: true,
  reportsBalance: true,
  reportsAmounts: true,
  notFoundIsFinal: true,
  smallestAmount: '0.01',
  renewsTokens: true,
  signedCallbacksAreFinal: false,
};
const BLIND = {
  ...ASKED,
  inquires: false,
  tellsPending: false,
  resolvesNames: false,
  reportsBalance: false,
  reportsAmounts: false,
};

/** Every connector; a new one adds a line. */
const CONNECTIONS: readonly Connection[] = [
  {
    emulator: 'mtn',
    operator: 'mtn',
    country: 'zm',
    prefix: '09612',
    ...ASKED,
  },
  {
    emulator: 'airtel',
    operator: 'airtel',
    country: 'zm',
    prefix: '09712',
    ...ASKED,
    notFoundIsFinal: false,
  },
  {
    emulator: 'vodacom',
    operator: 'vodacom',
    country: 'zm',
    prefix: '09712',
    ...ASKED,
    // Its synchronous flow has no status for it.
    tellsPending: false,
    reportsBalance: false,
    reportsAmounts: false,
    notFoundIsFinal: false,
  },
  {
    emulator: 'zamtel',
    operator: 'zamtel',
    country: 'zm',
    prefix: '09512',
    ...BLIND,
  },
  {
    emulator: 'pawapay',
    operator: 'mtn',
    country: 'ng',
    prefix: '080312',
    ...ASKED,
    resolvesNames: false,
    smallestAmount: '1',
    renewsTokens: false,
  },
];

// In parallel, because most of their time is waiting.
describe('conformance', { concurrency: CONNECTIONS.length }, () => {
  let world: LiveWorld;
  before(async () => {
    const operators = CONNECTIONS.map(({ emulator }) => emulator);
    world = await openLiveWorld({ operators, timeScale: TIME_SCALE });
  });
  after(() => world.close());

  for (const connection of CONNECTIONS) connectorConformance(() => world, connection);
});
