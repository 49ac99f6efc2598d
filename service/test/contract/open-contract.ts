import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { type RunningService, startService } from '../running-service.ts';
import { createTestDatabase, type TestDatabase } from '../test-database.ts';
import { createTestMerchant, type TestMerchant } from '../test-merchant.ts';
import {
  type ApiClient,
  createApiClient,
  type Fields,
  readTransfer,
  type Transfer,
} from './api-client.ts';

const POLL_INTERVAL_MS = 20;
const POLL_TIMEOUT_MS = 10_000;

export const TRANSFERS = 'transfers/mobile-money';
export const RECIPIENTS = 'transfer-recipients/mobile-money';

/** The service as a process, on the test file's own database, with one merchant. */
export type Contract = Readonly<{
  service: RunningService;
  database: TestDatabase['database'];
  merchant: TestMerchant;
  /** Uses the key of the merchant's test book. */
  api: ApiClient;
  apiWith(key?: string): ApiClient;
  /** The body of a transfer that succeeds, from the merchant's test wallet in ZMW. */
  order(changes?: Fields): Fields;
  /** Initiates it and returns the transfer of the 201. */
  initiate(changes?: Fields): Promise<Transfer>;
  transfer(id: string): Promise<Transfer>;
  /** Polls the transfer until it is as wanted. */
  transferOnce(id: string, wanted: (transfer: Transfer) => boolean): Promise<Transfer>;
  close(): Promise<void>;
}>;

export async function openContract(env: Readonly<Record<string, string>> = {}): Promise<Contract> {
  const { database, serviceUrl, drop } = await createTestDatabase();
  const service = await startService({ databaseUrl: serviceUrl, env }).catch(
    async (error: unknown) => {
      await drop();
      throw error;
    },
  );
  const merchant = await createTestMerchant(database);
  const apiWith = (key?: string) => createApiClient(service.baseUrl, key);
  const api = apiWith(merchant.keys.test);
  const order = (changes: Fields = {}): Fields => ({
    amount: 1,
    reference: newReference(),
    phone: '0977433571',
    operator: 'airtel',
    country: 'zm',
    walletId: merchant.wallets.test.ZMW,
    ...changes,
  });
  const transfer = async (id: string) => readTransfer((await api.get(`transfers/${id}`)).data);
  return {
    service,
    database,
    merchant,
    api,
    apiWith,
    order,
    transfer,
    async initiate(changes) {
      const answer = await api.post(TRANSFERS, order(changes));
      assert.equal(answer.status, 201, answer.text);
      return readTransfer(answer.data);
    },
    transferOnce: (id, wanted) => poll(() => transfer(id), wanted),
    async close() {
      await service.end();
      await drop();
    },
  };
}

/** A reference that no other test uses. */
export function newReference(): string {
  return `ref-${randomUUID()}`;
}

/** Polls until the answer is as wanted; the last answer explains a timeout. */
export async function poll<T>(ask: () => Promise<T>, wanted: (value: T) => boolean): Promise<T> {
  const deadline = Date.now() + POLL_TIMEOUT_MS;
  for (;;) {
    const value = await ask();
    if (wanted(value)) return value;
    assert.ok(Date.now() < deadline, `still ${JSON.stringify(value)}`);
    await wait(POLL_INTERVAL_MS);
  }
}
