import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { closeAfterLastFile } from '../../../scripts/share-process.ts';
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
const POLL_TIMEOUT_MS = 30_000;

export const TRANSFERS = 'transfers/mobile-money';
export const RECIPIENTS = 'transfer-recipients/mobile-money';

/** The service as a process, with a merchant of the test file's own. */
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
  const { service, database, leave } = await enterService(env);
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
    close: leave,
  };
}

type OpenService = Readonly<{
  service: RunningService;
  database: TestDatabase['database'];
  close: () => Promise<void>;
}>;

/** Files that share a process share the service, too; their merchants see nothing of each other. */
const open = new Map<string, { service: Promise<OpenService>; users: number }>();
/** Most files use the service without settings of their own. */
const USUAL = JSON.stringify({});

async function enterService(env: Readonly<Record<string, string>>) {
  const key = JSON.stringify(env);
  const entry = open.get(key) ?? { service: openService(env), users: 0 };
  entry.users += 1;
  open.set(key, entry);
  const { service, database, close } = await entry.service;
  const end = async (): Promise<void> => {
    if (entry.users > 0 || open.get(key) !== entry) return;
    open.delete(key);
    await close();
  };
  return {
    service,
    database,
    /** Without users it waits for the next file only if that is likely to want it: an idle service works, too. */
    leave: async () => {
      entry.users -= 1;
      if (entry.users > 0) return;
      if (key === USUAL) await closeAfterLastFile(end);
      else await end();
    },
  };
}

async function openService(env: Readonly<Record<string, string>>): Promise<OpenService> {
  const { database, serviceUrl, drop } = await createTestDatabase();
  try {
    const service = await startService({ databaseUrl: serviceUrl, env });
    const close = async () => {
      // Its database goes too: nothing is left for which it would take a second to stop.
      await service.end('SIGKILL');
      await drop();
    };
    return { service, database, close };
  } catch (error) {
    await drop();
    throw error;
  }
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
