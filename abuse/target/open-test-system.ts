import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createDataFolder, type DataFolder } from './data-folder.ts';
import { prepareAttacker } from './prepare-attacker.ts';
import { type Service, startService } from './start-service.ts';
import type { Accounts, Target } from './target.ts';

const ROUTES_FILE = 'routes.json';
const CALLBACK_ROUTE = 'mtn-zm';
/** 20 to 200 characters; a secret only of this run, on this machine. */
const CALLBACK_TOKEN = 'token-of-the-abused-route-0001';
/** Nothing listens at the discard port, so the operator is never reached. */
const OPERATOR_URL = 'http://127.0.0.1:9';

export type TestSystem = Readonly<{
  folder: DataFolder;
  service(): Service;
  target(): Target;
  accounts: Accounts;
  /** Starts the service again after it ended, on the same data. */
  restart(): Promise<void>;
  close(): Promise<void>;
}>;

/** The service of a checkout with its own data, a merchant that pays and one that attacks. */
export async function openTestSystem(
  options: Readonly<{ tree: string; onSmallDisk: boolean }>,
): Promise<TestSystem> {
  const { tree } = options;
  const folder = await createDataFolder(options);
  let service: Service | undefined;
  const close = async (): Promise<void> => {
    await service?.stop();
    await folder.remove();
  };
  try {
    const env = { DATA_DIR: folder.path, ROUTES_FILE: await writeRoutes(folder.path) };
    service = await startService({ tree, env });
    const demo = await readDemo(folder.path);
    const attacker = await prepareAttacker({ tree, dataDir: folder.path, port: service.port });
    let current = service;
    return {
      folder,
      service: () => current,
      target: () => ({
        port: current.port,
        attackerKey: attacker.apiKey,
        attackerWalletId: attacker.walletId,
        attackerWebhook: attacker.webhook,
        callbackRoute: CALLBACK_ROUTE,
        callbackToken: CALLBACK_TOKEN,
      }),
      accounts: {
        merchantKey: demo.testKey,
        merchantWalletId: demo.wallets.test.ZMW,
        liveKey: demo.liveKey,
        auditKey: attacker.auditKey,
      },
      async restart() {
        await current.stop();
        current = await startService({ tree, env });
        service = current;
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function writeRoutes(dataDir: string): Promise<string> {
  const route = {
    name: CALLBACK_ROUTE,
    connector: 'mtn',
    operator: 'mtn',
    country: 'zm',
    callbackToken: CALLBACK_TOKEN,
    settings: {
      baseUrl: OPERATOR_URL,
      subscriptionKey: 'subscription',
      apiUser: '1c2f6f0e-3d0a-4a6e-9a53-0c0f7d0f2b11',
      apiKey: 'key',
    },
  };
  const path = join(dataDir, ROUTES_FILE);
  await writeFile(path, JSON.stringify({ routes: [route] }));
  return path;
}

type Demo = Readonly<{
  testKey: string;
  liveKey: string;
  wallets: Readonly<{ test: Readonly<{ ZMW: string }> }>;
}>;

async function readDemo(dataDir: string): Promise<Demo> {
  return JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8')) as Demo;
}
