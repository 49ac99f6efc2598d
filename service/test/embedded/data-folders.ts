import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client } from 'pg';

import {
  type EmbeddedPostgres,
  openEmbeddedPostgres,
} from '../../src/postgres/embedded/open-embedded-postgres.ts';
import { removeEmbeddedPostgres } from '../../src/postgres/embedded/remove-embedded-postgres.ts';

/** Opens the embedded PostgreSQL in a process of its own. */
export const CHILD_SCRIPT = fileURLToPath(new URL('./open-and-wait.ts', import.meta.url));
const CONNECT_TIMEOUT_MS = 2_000;

export type Role = 'service' | 'admin';

export type OpenInChild = Readonly<{
  /** What the process reported about its opening. */
  report: Readonly<Record<string, unknown>>;
  connectionString: string;
  close: () => Promise<void>;
  kill: () => Promise<void>;
}>;

export type DataFolder = Readonly<{
  dataDir: string;
  open: (role?: Role, said?: string[]) => Promise<EmbeddedPostgres>;
  openInChild: (role: Role, description?: string) => Promise<OpenInChild>;
}>;

/**
 * For one test file: gives each test a separate data folder, with a cluster that is copied and not created, which takes
 * a fifth of the time.
 */
export function prepareDataFolders(): (t: TestContext) => Promise<DataFolder> {
  let parent = '';
  before(async () => {
    parent = await mkdtemp(join(tmpdir(), 'kafue-embedded-'));
    await chmod(parent, 0o755);
    const made = await openEmbeddedPostgres(
      { say: () => undefined },
      { dataDir: join(parent, 'template'), role: 'admin', description: 'template' },
    );
    await made.close();
  });
  after(() => rm(parent, { recursive: true }));
  return async (t) => {
    const folder = await newDataFolder(t);
    await promisify(execFile)('cp', ['-a', `${join(parent, 'template')}/.`, folder.dataDir]);
    return folder;
  };
}

/** An empty data folder that every user may enter; what the test leaves open is closed with it. */
export async function newDataFolder(t: TestContext): Promise<DataFolder> {
  const dataDir = await mkdtemp(join(tmpdir(), 'kafue-embedded-'));
  await chmod(dataDir, 0o755);
  const left: (() => Promise<void>)[] = [];
  t.after(async () => {
    for (const end of left) await end();
    await removeEmbeddedPostgres({ dataDir });
    await rm(dataDir, { recursive: true });
  });
  return {
    dataDir,
    open: async (role = 'service', said = []) => {
      const say = (line: string) => void said.push(line);
      const user = { dataDir, role, description: `test ${process.pid}` };
      const opened = await openEmbeddedPostgres({ say }, user);
      left.push(opened.close);
      return opened;
    },
    openInChild: async (role, description = 'child') => {
      const child = startChild({ script: CHILD_SCRIPT, dataDir, role, description });
      left.push(child.kill);
      return child.opened();
    },
  };
}

/** Opens the embedded PostgreSQL in a separate process, as another user if given. */
export function startChild(options: {
  script: string;
  dataDir: string;
  role: Role;
  description: string;
  account?: { uid: number; gid: number };
}): { opened: () => Promise<OpenInChild>; kill: () => Promise<void> } {
  const args = [options.script, options.dataDir, options.role, options.description];
  const stdio = ['pipe', 'pipe', 'inherit'] as const;
  const child = spawn(process.execPath, args, { stdio: [...stdio], cwd: '/', ...options.account });
  const exit = once(child, 'exit');
  const kill = async () => {
    child.kill('SIGKILL');
    await exit;
  };
  const close = async () => {
    child.stdin?.end();
    await exit;
  };
  const opened = async () => {
    assert.ok(child.stdout !== null);
    const [line] = await once(createInterface({ input: child.stdout }), 'line');
    const report: OpenInChild['report'] = JSON.parse(String(line));
    return { report, connectionString: String(report['connectionString']), close, kill };
  };
  return { opened, kill };
}

/** The first column of the result. */
export async function query(connectionString: string, sql: string): Promise<string[]> {
  const client = new Client({ connectionString, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const result = await client.query<string[]>({ text: sql, rowMode: 'array' });
    return result.rows.map((row) => String(row[0]));
  } finally {
    await client.end().catch(() => undefined);
  }
}

export async function assertRuns(connectionString: string): Promise<void> {
  assert.deepEqual(await query(connectionString, 'select 1'), ['1']);
}

export async function assertStopped(connectionString: string): Promise<void> {
  await assert.rejects(query(connectionString, 'select 1'), { code: 'ECONNREFUSED' });
}

export async function readPostmasterPid(clusterDir: string): Promise<number> {
  const text = await readFile(join(clusterDir, 'postmaster.pid'), 'utf8');
  const pid = Number(text.split('\n')[0]);
  assert.ok(pid > 1);
  return pid;
}
