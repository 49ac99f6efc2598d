import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { isJsonObject, type JsonObject } from '../kernel/read-json-object.ts';
import { createTestFolder } from '../kernel/test-folder.ts';
import { waitUntil } from '../kernel/wait-until.ts';
import {
  type PawapayEmulator,
  type PawapayEmulatorOptions,
  startPawapayEmulator,
} from './pawapay-emulator.ts';

/** For tests: a hundred times faster than pawaPay. */
const TIME_SCALE = 0.01;

type JsonAnswer = Readonly<{ status: number; body: unknown }>;

export type TestMerchant = AsyncDisposable &
  Readonly<{
    emulator: PawapayEmulator;
    journalPath: string;
    /** Sends JSON with the token of the account; headers can be replaced or removed. */
    call(
      method: string,
      path: string,
      body?: unknown,
      headers?: Readonly<Record<string, string | null>>,
    ): Promise<JsonAnswer>;
    pay(changes?: object): Promise<JsonAnswer>;
    statusOf(payoutId: string): Promise<unknown>;
    /** `data` of a status query; fails when there is none. */
    find(payoutId: string): Promise<JsonObject>;
    /** Waits until a status query shows that status, and returns `data`. */
    waitFor(payoutId: string, status: string): Promise<JsonObject>;
  }>;

/** For tests: an emulator with its own folder, and a client with its credentials. */
export async function startTestMerchant(
  options: Partial<PawapayEmulatorOptions> = {},
): Promise<TestMerchant> {
  const folder = await createTestFolder();
  const journalPath = join(folder.path, 'pawapay.jsonl');
  const emulator = await startPawapayEmulator({ journalPath, timeScale: TIME_SCALE, ...options });
  const call: TestMerchant['call'] = (method, path, body, headers) =>
    callEmulator(emulator, { method, path, body, headers: headers ?? {} });
  const statusOf = async (payoutId: string): Promise<unknown> =>
    (await call('GET', `/v2/payouts/${payoutId}`)).body;
  const find = async (payoutId: string): Promise<JsonObject> => {
    const answer = await statusOf(payoutId);
    assert(isJsonObject(answer) && isJsonObject(answer.data), JSON.stringify(answer));
    return answer.data;
  };
  return {
    emulator,
    journalPath,
    call,
    find,
    pay: (changes = {}) => call('POST', '/v2/payouts', payoutBody(changes)),
    statusOf,
    async waitFor(payoutId, status) {
      await waitUntil(`${status} of ${payoutId}`, async () => {
        const answer = await statusOf(payoutId);
        return isJsonObject(answer) && isJsonObject(answer.data) && answer.data.status === status;
      });
      return find(payoutId);
    },
    async [Symbol.asyncDispose]() {
      await emulator.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

type Call = Readonly<{
  method: string;
  path: string;
  body: unknown;
  headers: Readonly<Record<string, string | null>>;
}>;

async function callEmulator(emulator: PawapayEmulator, call: Call): Promise<JsonAnswer> {
  const { method, path, body } = call;
  const headers: Record<string, string | null> = {
    authorization: `Bearer ${emulator.credentials.apiToken}`,
    'content-type': 'application/json',
    ...call.headers,
  };
  const kept = Object.entries(headers).flatMap(([name, value]) =>
    value === null ? [] : [[name, value] as [string, string]],
  );
  const text = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
  const answer = await fetch(`${emulator.url}${path}`, {
    method,
    headers: kept,
    ...(body === undefined ? {} : { body: text }),
  });
  const answered = await answer.text();
  return { status: answer.status, body: answered === '' ? undefined : JSON.parse(answered) };
}

/** A valid payout with the given changes. */
export function payoutBody(changes: object = {}): Readonly<Record<string, unknown>> {
  return {
    payoutId: randomUUID(),
    recipient: recipientOf({}),
    amount: '15',
    currency: 'ZMW',
    ...changes,
  };
}

export function recipientOf(changes: object) {
  const accountDetails = { phoneNumber: '260763456780', provider: 'MTN_MOMO_ZMB', ...changes };
  return { type: 'MMO', accountDetails };
}
