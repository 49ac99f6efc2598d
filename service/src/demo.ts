import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  createDemoMerchant,
  type DemoAccess,
  type DemoDeps as DemoMerchantDeps,
  findDemoMerchant,
  isIssuedHere,
  renewDemoKeys,
} from './merchants/demo-merchant.ts';
import {
  areDemoPeople,
  type DemoPeopleDeps,
  type DemoPerson,
  makeDemoPeople,
  readDemoPeople,
} from './people/demo-people.ts';

const FILE_NAME = 'demo.json';
const OWNER_ONLY = 0o600;
const PERMISSION_BITS = 0o777;

export type DemoFile = DemoAccess & Readonly<{ baseUrl: string; people: readonly DemoPerson[] }>;

export type DemoDeps = DemoMerchantDeps & DemoPeopleDeps;

/**
 * Lets a new user make a first payout and sign in: creates the demo merchant and demo people at the first start, and
 * keeps keys and passwords in `demo.json`, readable by the owner only. Later starts keep them, even revoked keys, since
 * they were revoked on purpose; a missing or broken file gets new ones, and one from before there were people gets
 * people. Undefined when a user has created another merchant called Demo.
 */
export async function readOrWriteDemoFile(
  deps: DemoDeps,
  place: Readonly<{ dataDir: string; baseUrl: string }>,
): Promise<DemoFile | undefined> {
  const path = join(place.dataDir, FILE_NAME);
  const access = await findOrMakeAccess(deps, path);
  if (access === undefined) return undefined;
  const { testKey, liveKey, wallets } = access;
  const people = await findOrMakePeople(deps, path, access);
  const file: DemoFile = { baseUrl: place.baseUrl, testKey, liveKey, wallets, people };
  const text = `${JSON.stringify(file, null, 2)}\n`;
  if (!(await isWrittenAs(path, text))) {
    await mkdir(place.dataDir, { recursive: true });
    await replaceFile(path, text);
  }
  return file;
}

async function findOrMakeAccess(deps: DemoDeps, path: string): Promise<DemoAccess | undefined> {
  const written = await readAccess(path);
  // A file from another database, such as one that was deleted since, is ignored.
  if (written !== undefined && (await isIssuedHere(deps.database, written.testKey))) return written;
  return (await createDemoMerchant(deps)) ?? (await renewDemoKeys(deps));
}

async function findOrMakePeople(
  deps: DemoDeps,
  path: string,
  { testKey }: DemoAccess,
): Promise<readonly DemoPerson[]> {
  const file = await readJson(path);
  const written = readDemoPeople(memberOf(file, 'people'));
  const isOfHere = textAt(file, 'testKey') === testKey;
  if (written !== undefined && isOfHere && (await areDemoPeople(deps.database, written))) {
    return written;
  }
  const merchant = await findDemoMerchant(deps.database, testKey);
  if (merchant === undefined) throw new Error('the demo key opens no book');
  return makeDemoPeople(deps, merchant);
}

async function readAccess(path: string): Promise<DemoAccess | undefined> {
  return toAccess(await readJson(path));
}

async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch {
    return undefined;
  }
}

function toAccess(file: unknown): DemoAccess | undefined {
  const testKey = textAt(file, 'testKey');
  const liveKey = textAt(file, 'liveKey');
  const test = toWalletIds(memberOf(memberOf(file, 'wallets'), 'test'));
  const live = toWalletIds(memberOf(memberOf(file, 'wallets'), 'live'));
  if (testKey === undefined || liveKey === undefined) return undefined;
  if (test === undefined || live === undefined) return undefined;
  return { testKey, liveKey, wallets: { test, live } };
}

function toWalletIds(ids: unknown): DemoAccess['wallets']['test'] | undefined {
  const [ZMW, NGN] = [textAt(ids, 'ZMW'), textAt(ids, 'NGN')];
  return ZMW === undefined || NGN === undefined ? undefined : { ZMW, NGN };
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

function textAt(value: unknown, name: string): string | undefined {
  const member = memberOf(value, name);
  return typeof member === 'string' ? member : undefined;
}

async function isWrittenAs(path: string, text: string): Promise<boolean> {
  try {
    const { mode } = await stat(path);
    return (mode & PERMISSION_BITS) === OWNER_ONLY && (await readFile(path, 'utf8')) === text;
  } catch {
    return false;
  }
}

/** The file is complete or unchanged, whenever the process dies. */
async function replaceFile(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomBytes(8).toString('hex')}`;
  try {
    const handle = await open(draft, 'wx', OWNER_ONLY);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
