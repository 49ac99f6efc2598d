import assert from 'node:assert/strict';
import { constants, createPrivateKey, generateKeyPairSync, privateDecrypt } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Static } from 'typebox';
import type { Payout } from '../../src/operators/contract/connector.ts';
import type { ConnectorDeps } from '../../src/operators/contract/connector-kind.ts';
import { NOTHING_KEPT } from '../../src/operators/credentials/credential-store.ts';
import { VODACOM } from '../../src/operators/vodacom/connector.ts';
import { type FakeRequest, startFakeServer } from './fake-server.ts';

export const API_KEY = 'api-key-that-must-not-be-seen';
export const REFERENCE = '7c9b7a46-2a6f-4f7f-9d0b-1e1d5b0b7a10';
export const CONVERSATION_ID = '7c9b7a462a6f4f7f9d0b1e1d5b0b7a10';

const PAIR = generateKeyPairSync('rsa', {
  modulusLength: 2_048,
  publicKeyEncoding: { type: 'spki', format: 'der' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});
const PRIVATE_KEY = createPrivateKey(PAIR.privateKey);
export const PUBLIC_KEY = PAIR.publicKey.toString('base64');

export const PAYOUT: Payout = {
  operatorReference: REFERENCE,
  phone: '+260977433571',
  operator: 'vodacom',
  country: 'zm',
  currency: 'ZMW',
  amountMinor: 150_50n,
  narration: 'Salary June',
  createdAt: new Date('2026-07-01T10:00:00Z'),
};

export type Seen = FakeRequest &
  Readonly<{ /** What the bearer value was made of. */ bearer: string }>;

/** What the server does with a request: a status with a body, or a failure. */
export type Scripted =
  | Readonly<{ status: number; body: unknown; headers?: Record<string, string> }>
  | 'reset'
  | 'hang';

/** An M-Pesa server that issues `session-1`, `session-2`, … and answers everything else as the test says. */
async function startServer(
  answer: (request: Seen) => Scripted,
  session: (count: number) => Scripted = (count) => ({
    status: 200,
    body: { output_ResponseCode: 'INS-0', output_SessionID: `session-${count}` },
  }),
) {
  const seen: Seen[] = [];
  const sessionsSeen: Seen[] = [];
  const server = await startFakeServer((request) => {
    const isSession = request.path.endsWith('/getSession/');
    const read = { ...request, bearer: openBearer(request.headers.authorization ?? '') };
    (isSession ? sessionsSeen : seen).push(read);
    const scripted = isSession ? session(sessionsSeen.length) : answer(read);
    if (typeof scripted === 'string') return scripted;
    const { body } = scripted;
    return { ...scripted, body: typeof body === 'string' ? body : JSON.stringify(body) };
  });
  return {
    ...server,
    seen: seen as readonly Seen[],
    sessionsSeen: sessionsSeen as readonly Seen[],
  };
}

/** Removes the padding by hand: 00 02, random bytes that are not 00, 00, and then the text. */
function openBearer(authorization: string): string {
  const sealed = Buffer.from(authorization.replace('Bearer ', ''), 'base64');
  const options = { key: PRIVATE_KEY, padding: constants.RSA_NO_PADDING };
  const block = privateDecrypt(options, sealed);
  const end = block.indexOf(0, 2);
  return block[0] === 0 && block[1] === 2 && end >= 10 ? block.subarray(end + 1).toString() : '';
}

export function connectorDeps(changes: Partial<ConnectorDeps> = {}): ConnectorDeps {
  return {
    operator: 'vodacom',
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

export function vodacomSettings(
  baseUrl: string,
  changes: Partial<Static<typeof VODACOM.settings>> = {},
): Static<typeof VODACOM.settings> {
  return {
    baseUrl,
    environment: 'sandbox',
    market: 'vodacomZMB',
    country: 'ZMB',
    currency: 'ZMW',
    serviceProviderCode: '000000',
    apiKey: API_KEY,
    publicKey: PUBLIC_KEY,
    sessionActivationMs: 0,
    ...changes,
  };
}

/** A connector and the M-Pesa server that it calls. */
export async function openConnector(
  answer: (request: Seen) => Scripted,
  changes: Readonly<{
    settings?: Parameters<typeof vodacomSettings>[1];
    deps?: Partial<ConnectorDeps>;
    session?: (count: number) => Scripted;
  }> = {},
) {
  const server = await startServer(answer, changes.session);
  const settings = vodacomSettings(server.baseUrl, changes.settings);
  assert.deepEqual(VODACOM.checkSettings?.(settings), []);
  const connector = VODACOM.create(settings, connectorDeps(changes.deps));
  const close = (): void => {
    connector.close?.();
    void server.close();
  };
  return { server, connector, close, [Symbol.dispose]: close };
}

/** The documented answer to a payout in the sync flow. */
export const PAID_ANSWER = {
  output_ResponseCode: 'INS-0',
  output_ResponseDesc: 'Request processed successfully',
  output_TransactionID: 'hv9ahxcg4ccv',
  output_ConversationID: 'fd1e9143d22544459f7c66e1860ef276',
  output_ThirdPartyConversationID: CONVERSATION_ID,
};

/** The answer of the status query for a payout that was paid. */
export const COMPLETED_ANSWER = {
  output_ResponseCode: 'INS-0',
  output_ResponseDesc: 'Request processed successfully',
  output_ResponseTransactionStatus: 'Completed',
  output_ConversationID: 'fd1e9143d22544459f7c66e1860ef276',
  output_ThirdPartyConversationID: '11111111222243338444555555555555',
  output_OriginalTransactionID: '4C123GE3',
  output_Reversed: 'False',
};
