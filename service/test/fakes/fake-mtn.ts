import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Static } from 'typebox';
import { Value } from 'typebox/value';
import type { Connector, Payout } from '../../src/operators/contract/connector.ts';
import type { ConnectorDeps } from '../../src/operators/contract/connector-kind.ts';
import { NOTHING_KEPT } from '../../src/operators/credentials/credential-store.ts';
import { MTN } from '../../src/operators/mtn/connector.ts';
import {
  type FakeAnswer,
  type FakeRequest,
  type FakeServer,
  startFakeServer,
} from './fake-server.ts';

/** For tests: a payout, and a connector to a server that answers as a script says. */
export const REFERENCE = '7c9b7a46-2a6f-4f7f-9d0b-1e1d5b0b7a10';
export const SECRETS = {
  subscriptionKey: 'sub-key-0123456789',
  apiKey: 'test-api-key-9876543210',
};
export const API_USER = '3b1f6b1e-9d0b-4f7f-8a6f-2a6f4f7f9d0b';

export const PAYOUT: Payout = {
  operatorReference: REFERENCE,
  phone: '+260966123456',
  operator: 'mtn',
  country: 'zm',
  currency: 'ZMW',
  amountMinor: 15_050n,
  narration: "Mary's pay",
  createdAt: new Date(0),
};

type Script = (request: FakeRequest, tokens: number) => FakeAnswer;
type Line = Readonly<{ server: FakeServer; mtn: Connector; paths(): string[] }>;

export const json = (status: number, body: unknown): FakeAnswer => ({
  status,
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json' },
});

/** A server that issues tokens by itself: token-1, token-2 and so on. */
export async function startMtn(
  t: TestContext,
  script: Script,
  options: Readonly<{
    settings?: Partial<Static<typeof MTN.settings>>;
    deps?: Partial<ConnectorDeps>;
    token?: (nth: number) => FakeAnswer;
  }> = {},
): Promise<Line> {
  let tokens = 0;
  const { token = (nth: number) => json(200, { access_token: `token-${nth}`, expires_in: 3600 }) } =
    options;
  const server = await startFakeServer((request) => {
    if (request.path !== '/disbursement/token/') return script(request, tokens);
    tokens += 1;
    return token(tokens);
  });
  const settings = { ...SECRETS, apiUser: API_USER, baseUrl: server.baseUrl, ...options.settings };
  assert.ok(Value.Check(MTN.settings, settings));
  const mtn = MTN.create(settings, {
    operator: 'mtn',
    country: 'zm',
    timeouts: {
      tokenMs: 20_000,
      submitMs: 20_000,
      inquireMs: 20_000,
      nameMs: 20_000,
      balanceMs: 20_000,
    },
    connectionsMax: 4,
    callbackUrl: null,
    referenceMemoryMs: 12 * 60 * 60_000,
    timeScale: 1,
    now: () => new Date(40_000),
    monotonicMs: () => performance.now(),
    wait: async () => undefined,
    newUuid: () => REFERENCE,
    credentials: NOTHING_KEPT,
    ...options.deps,
  });
  t.after(async () => {
    mtn.close?.();
    await server.close();
  });
  return {
    server,
    mtn,
    paths: () => server.requests.map(({ method, path }) => `${method} ${path}`),
  };
}
