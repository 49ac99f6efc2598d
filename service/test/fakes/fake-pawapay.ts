import { setTimeout as wait } from 'node:timers/promises';
import type { Static } from 'typebox';
import type { Payout } from '../../src/operators/contract/connector.ts';
import type { ConnectorDeps } from '../../src/operators/contract/connector-kind.ts';
import { NOTHING_KEPT } from '../../src/operators/credentials/credential-store.ts';
import { PAWAPAY } from '../../src/operators/pawapay/connector.ts';
import { type FakeRequest, startFakeServer } from './fake-server.ts';

export const API_TOKEN = 'token-that-must-not-be-seen';
export const PAYOUT_ID = 'f4401bd2-1568-4140-bf2d-eb77d2b2b639';

export const PAYOUT: Payout = {
  operatorReference: PAYOUT_ID,
  phone: '+260763456789',
  operator: 'mtn',
  country: 'zm',
  currency: 'ZMW',
  amountMinor: 15_00n,
  narration: 'Salary June',
  createdAt: new Date('2026-07-01T10:00:00Z'),
};

/** What the server does with a request: a status with a body, or a failure. */
export type Scripted =
  | Readonly<{ status: number; body: unknown; headers?: Record<string, string> }>
  | 'reset'
  | 'hang';

/** A pawaPay server that answers as the test says. */
export function startServer(answer: (request: FakeRequest) => Scripted) {
  return startFakeServer((request) => {
    const scripted = answer(request);
    if (typeof scripted === 'string') return scripted;
    const { body } = scripted;
    return { ...scripted, body: typeof body === 'string' ? body : JSON.stringify(body) };
  });
}

export function connectorDeps(changes: Partial<ConnectorDeps> = {}): ConnectorDeps {
  return {
    operator: 'mtn',
    country: 'zm',
    timeouts: {
      tokenMs: 5_000,
      submitMs: 5_000,
      inquireMs: 5_000,
      nameMs: 5_000,
      balanceMs: 5_000,
    },
    connectionsMax: 100,
    callbackUrl: null,
    referenceMemoryMs: 12 * 60 * 60_000,
    timeScale: 1,
    now: () => new Date('2026-07-01T10:00:00Z'),
    monotonicMs: () => performance.now(),
    wait,
    newUuid: () => '11111111-2222-4333-8444-555555555555',
    credentials: NOTHING_KEPT,
    ...changes,
  };
}

export function pawapaySettings(
  baseUrl: string,
  changes: Partial<Static<typeof PAWAPAY.settings>> = {},
): Static<typeof PAWAPAY.settings> {
  return { baseUrl, apiToken: API_TOKEN, ...changes };
}

/** The status of a payout that was paid. */
export const COMPLETED = {
  payoutId: PAYOUT_ID,
  status: 'COMPLETED',
  amount: '15.00',
  currency: 'ZMW',
  country: 'ZMB',
  recipient: {
    type: 'MMO',
    accountDetails: { phoneNumber: '260763456789', provider: 'MTN_MOMO_ZMB' },
  },
  customerMessage: 'Salary June',
  created: '2026-07-01T10:00:00Z',
  providerTransactionId: '12356789',
};
