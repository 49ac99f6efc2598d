import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BookEntry } from '../../../emulators/kernel/behaviour.ts';
import type { Rule } from '../../../emulators/kernel/choose-behaviour.ts';
import type { StartedEmulator } from '../../../emulators/route-entry.ts';
import { type OperatorName, startOperator } from '../../../emulators/start-operators.ts';
import type { Database } from '../../src/postgres/database.ts';
import { findFreePort } from '../../src/postgres/embedded/free-port.ts';
import { type ApiClient, createApiClient } from '../contract/api-client.ts';
import { type RunningService, startService } from '../running-service.ts';
import { copyTestDatabase, createTestDatabase } from '../test-database.ts';
import { createTestMerchant, type TestMerchant } from '../test-merchant.ts';

/**
 * No emulator here is as slow as a real operator, so the timeouts are short. An answer that is slow only because the
 * machine is busy must still be in time: without a possible inquiry it would be lost for good.
 */
const TIMEOUTS = {
  tokenMs: 4_000,
  submitMs: 8_000,
  inquireMs: 4_000,
  nameMs: 4_000,
  balanceMs: 4_000,
};
const CALLS_PER_SECOND = 500;

/** A merchant, the service as a process, and operators with their own books. */
export type LiveWorld = Readonly<{
  database: Database;
  merchant: TestMerchant;
  /** Uses the key of the live book. */
  api(): ApiClient;
  service(): RunningService;
  /** The route file that the service was started with. */
  routesFile: string;
  /** Starts the service again after it ended. */
  restartService(): Promise<void>;
  /** Replaces the database by the backup, while the operators keep their books. */
  restore(beforeStart?: (database: Database) => Promise<void>): Promise<void>;
  setRules(name: OperatorName, rules: readonly Rule[]): Promise<void>;
  control(name: OperatorName, call: string, body?: unknown): Promise<unknown>;
  book(name: OperatorName): Promise<readonly BookEntry[]>;
  stopOperator(name: OperatorName): Promise<void>;
  startOperator(name: OperatorName): Promise<void>;
  close(): Promise<void>;
}>;

export type LiveWorldOptions = Readonly<{
  operators: readonly OperatorName[];
  /** The time scale of the operators and of our schedule of inquiries. */
  timeScale: number;
  /** How many calls the operators accept in a second, 500 by default; null: as few as the real ones. */
  callsPerSecond?: number | null;
  /** Copies the database before the service starts, to be restored later. */
  keepsBackup?: boolean;
  /** How long M-Pesa refuses a new session. */
  sessionActivationMs?: number;
  env?: Readonly<Record<string, string>>;
  /** Overrides parts of each entry of the route file, and of its settings. */
  route?: Readonly<Record<string, unknown>>;
  settings?: Readonly<Record<string, unknown>>;
}>;

export async function openLiveWorld({
  operators,
  timeScale,
  callsPerSecond = CALLS_PER_SECOND,
  keepsBackup = false,
  sessionActivationMs,
  env,
  route: entry = {},
  settings = {},
}: LiveWorldOptions): Promise<LiveWorld> {
  // Closes what is open if anything below fails; otherwise close() does.
  await using opened = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'kafue-live-'));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  const port = await findFreePort();
  let test = await createTestDatabase();
  opened.defer(() => test.drop());
  const emulators = new Map<OperatorName, StartedEmulator>();
  const callbackBaseUrl = `http://localhost:${port}`;
  const start = async (name: OperatorName): Promise<void> => {
    const known = emulators.get(name);
    // It keeps its port while it is stopped.
    const usedPort = known === undefined ? await findFreePort() : Number(new URL(known.url).port);
    const options = {
      port: usedPort,
      folder,
      timeScale,
      callbackBaseUrl,
      callsPerSecond,
      ...(sessionActivationMs === undefined ? {} : { sessionActivationMs }),
    };
    emulators.set(name, await startOperator(name, options));
  };
  opened.defer(async () => {
    await Promise.allSettled([...emulators.values()].map((emulator) => emulator.close()));
  });
  for (const name of operators) await start(name);
  const routesFile = join(folder, 'routes.json');
  const routes = [...emulators.values()].flatMap((emulator) => emulator.routes);
  const file = {
    callbackBaseUrl,
    routes: routes.map((route) => ({
      ...route,
      timeouts: TIMEOUTS,
      ...entry,
      settings: { ...route.settings, ...settings },
    })),
  };
  await writeFile(routesFile, JSON.stringify(file));
  const serve = () =>
    startService({
      databaseUrl: test.serviceUrl,
      env: { ROUTES_FILE: routesFile, PORT: String(port), ...env },
    });
  const merchant = await createTestMerchant(test.database);
  let backup = keepsBackup ? await copyTestDatabase(test) : undefined;
  opened.defer(async () => backup?.drop());
  let service = await serve();
  // Its database goes too: nothing is left for which it would take a second to stop.
  opened.defer(async () => void (await service.end('SIGKILL')));
  const url = (name: OperatorName) => emulators.get(name)?.url ?? '';
  const control: LiveWorld['control'] = async (name, call, body) => {
    const [method = 'GET', path = ''] = call.split(' ');
    const answer = await fetch(`${url(name)}/_emulator/${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${name} refused ${call}: ${await answer.text()}`);
    return answer.status === 204 ? undefined : answer.json();
  };
  const toClose = opened.move();
  return {
    get database() {
      return test.database;
    },
    merchant,
    api: () => createApiClient(service.baseUrl, merchant.keys.live),
    service: () => service,
    routesFile,
    async restartService() {
      service = await serve();
    },
    async restore(beforeStart) {
      if (backup === undefined) throw new Error('there is no backup');
      await service.end();
      await test.drop();
      test = backup;
      backup = undefined;
      await beforeStart?.(test.database);
      service = await serve();
    },
    setRules: async (name, rules) => void (await control(name, 'PUT rules', rules)),
    control,
    async book(name) {
      const { entries } = (await control(name, 'GET book')) as { entries: BookEntry[] };
      return entries;
    },
    stopOperator: async (name) => emulators.get(name)?.close(),
    startOperator: start,
    close: () => toClose.disposeAsync(),
  };
}

/** The same world with another merchant in it. */
export async function asNewMerchant(world: LiveWorld): Promise<LiveWorld> {
  const merchant = await createTestMerchant(world.database);
  const api = () => createApiClient(world.service().baseUrl, merchant.keys.live);
  return { ...world, merchant, api };
}
