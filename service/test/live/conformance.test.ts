import { describe } from 'node:test';
import { type Connection, connectorConformance } from './connector-conformance.ts';

const ASKED = {
  inquires: true,
  tellsPending: true,
  resolvesNames: true,
  tellsAmounts: true,
  notFoundIsFinal: true,
  smallestAmount: '0.01',
  renewsTokens: true,
};
const BLIND = {
  ...ASKED,
  inquires: false,
  tellsPending: false,
  resolvesNames: false,
  tellsAmounts: false,
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
    tellsAmounts: false,
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
  for (const connection of CONNECTIONS) connectorConformance(connection);
});
