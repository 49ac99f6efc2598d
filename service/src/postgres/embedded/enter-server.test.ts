import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';

import { volume } from '../../../../scripts/test-volume.ts';
import {
  assertRuns,
  assertStopped,
  newDataFolder,
  prepareDataFolders,
  query,
  type Role,
  readPostmasterPid,
} from '../../../test/embedded/data-folders.ts';
import { pollUntil } from '../../../test/poll.ts';
import { openDatabase } from '../database.ts';
import { endLeftProcesses } from './end-left-processes.ts';
import { AlreadyRunning } from './open-embedded-postgres.ts';
import { accountOptions, programEnvironment } from './run-program.ts';
import { chooseServerAccount } from './server-account.ts';
import { prepareServerProgram } from './server-program.ts';

const LEAVING_ROUNDS = volume({ usual: 2, full: 5 });

const dataFolder = prepareDataFolders();

test('after kill -9 of the service the next start adopts the server that is still running', async (t) => {
  const { dataDir, open, openInChild } = await dataFolder(t);
  const killed = await openInChild('service');
  await query(killed.connectionString, 'create table kept as select 7 as n');
  const pid = await readPostmasterPid(join(dataDir, 'postgres'));
  await killed.kill();

  const next = await open();
  assert.equal(next.reassigned, true);
  assert.equal(await readPostmasterPid(join(dataDir, 'postgres')), pid);
  assert.deepEqual(await query(next.connectionString, 'select n from kept'), ['7']);
  await next.close();
  await assertStopped(next.connectionString);
});

test('a lock file left by a crash does not stop the start, whichever process has its process id now', async (t) => {
  const { dataDir, open } = await dataFolder(t);
  const lockFile = join(dataDir, 'postgres', 'postmaster.pid');
  for (const text of [`${process.pid}\n/elsewhere\n1\n5432\n\n127.0.0.1\n`, '']) {
    await writeFile(lockFile, text, { mode: 0o600 });
    const opened = await open();
    assert.equal(opened.reassigned, false);
    await opened.close();
  }
});

test('a service whose server is killed gets it back at the same address, with all data', async (t) => {
  const { dataDir, open } = await dataFolder(t);
  const said: string[] = [];
  const service = await open('service', said);
  await query(service.connectionString, 'create table kept as select 1 as n');
  const killed = await readPostmasterPid(join(dataDir, 'postgres'));
  process.kill(killed, 'SIGKILL');
  await pollUntil('the restart of the server', () => said.some((line) => line.endsWith('again.')));
  assert.deepEqual(await query(service.connectionString, 'select n from kept'), ['1']);
  assert.notEqual(await readPostmasterPid(join(dataDir, 'postgres')), killed);
  await assert.rejects(open(), AlreadyRunning);
  await service.close();
  await assertStopped(service.connectionString);
});

const isLinux = process.platform === 'linux';

test('a process of a killed server that does not end by itself does not stop the next start', {
  skip: isLinux ? false : 'such processes are found on Linux only',
}, async (t) => {
  const { dataDir, open } = await dataFolder(t);
  const said: string[] = [];
  const service = await open('service', said);
  await query(service.connectionString, 'create table kept as select 1 as n');
  const postmaster = await readPostmasterPid(join(dataDir, 'postgres'));
  const children = await readFile(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8');
  process.kill(Number(children.split(' ')[0]), 'SIGSTOP');
  process.kill(postmaster, 'SIGKILL');
  await pollUntil('the restart of the server', () => said.some((line) => line.endsWith('again.')));
  const ended = said.find((line) => line.includes('left behind')) ?? '';
  assert.match(
    ended,
    /^Ended (1 process|(?!1 )\d+ processes) that a crash of PostgreSQL left behind\.$/,
  );
  assert.deepEqual(await query(service.connectionString, 'select n from kept'), ['1']);
  await service.close();
  await assertStopped(service.connectionString);
});

test('processes of a server that was started without the path of its folder are not taken for left ones', {
  skip: isLinux ? false : 'such processes are found on Linux only',
}, async (t) => {
  const { dataDir, open } = await dataFolder(t);
  await (await open()).close();
  const clusterDir = join(dataDir, 'postgres');
  const account = await chooseServerAccount(clusterDir);
  const { postgres } = await prepareServerProgram(
    { say: () => undefined },
    { account, copyHome: dataDir },
  );
  const byHand = spawn(
    postgres,
    ['-c', 'listen_addresses=', '-c', `unix_socket_directories=${clusterDir}`],
    {
      ...accountOptions(account),
      cwd: '/',
      env: { ...programEnvironment(), PGDATA: clusterDir },
      stdio: 'ignore',
    },
  );
  const exit = once(byHand, 'exit');
  try {
    const children = () =>
      readFile(`/proc/${byHand.pid}/task/${byHand.pid}/children`, 'utf8').catch(() => '');
    await pollUntil('its processes', async () => (await children()).trim().includes(' '));
    assert.equal(await endLeftProcesses(clusterDir), 0);
  } finally {
    byHand.kill('SIGQUIT');
    await exit;
  }
});

test('open databases follow a server that comes back at another port, because its own is taken', async (t) => {
  const { dataDir, open } = await dataFolder(t);
  const said: string[] = [];
  const service = await open('service', said);
  const before = service.connectionString;
  const database = openDatabase({
    connectionString: () => service.connectionString,
    applicationName: 'test',
    connectionsMax: 1,
    onError: () => undefined,
  });
  t.after(() => database.close());
  const one = { name: '', text: 'select 1 as one' };
  assert.deepEqual(await database.query(one), [{ one: 1 }]);
  const taken = createServer().listen(0, '127.0.0.1');
  t.after(() => taken.close());
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  const optionsFile = join(dataDir, 'postgres', 'postmaster.opts');
  const options = await readFile(optionsFile, 'utf8');
  await writeFile(optionsFile, options.replace(/"-p" "\d+"/, `"-p" "${port}"`));
  process.kill(await readPostmasterPid(join(dataDir, 'postgres')), 'SIGKILL');
  await pollUntil('the restart of the server', () => said.some((line) => line.endsWith('again.')));
  assert.notEqual(service.connectionString, before);
  // The first use may still meet the connection that broke.
  await database.query(one).catch(() => undefined);
  assert.deepEqual(await database.query(one), [{ one: 1 }]);
});

test('a server that was killed with its service recovers at the next start', async (t) => {
  const { dataDir, open, openInChild } = await dataFolder(t);
  const first = await openInChild('service');
  await query(first.connectionString, 'create table kept as select 1 as n');
  await first.kill();
  process.kill(await readPostmasterPid(join(dataDir, 'postgres')), 'SIGKILL');
  const next = await open();
  assert.equal(next.reassigned, false);
  assert.deepEqual(await query(next.connectionString, 'select n from kept'), ['1']);
});

test('concurrent starts end in one service on one complete cluster', async (t) => {
  for (const makeFolder of [newDataFolder, dataFolder]) {
    const { dataDir, openInChild } = await makeFolder(t);
    const roles: Role[] = ['service', 'service', 'admin'];
    const started = await Promise.all(roles.map((role) => openInChild(role)));
    const reports = JSON.stringify(started.map(({ report }) => report));
    const refused = started.filter(({ report }) => report['refused'] !== undefined);
    assert.equal(refused.length, 1, reports);
    assert.equal(refused[0]?.report['refused'], 'AlreadyRunning', reports);
    const opened = started.filter((one) => !refused.includes(one));
    const [first = '', second] = opened.map((one) => one.connectionString);
    assert.equal(first, second);
    await assertRuns(first);
    await Promise.all(opened.map((one) => one.close()));
    await assertStopped(first);
    const files = ['postgres', 'postgres-password', 'postgres.log'];
    assert.deepEqual((await readdir(dataDir)).sort(), files);
  }
});

test('a start while the last user leaves still finds a server', async (t) => {
  const { open } = await dataFolder(t);
  let leaving = await open('admin');
  for (let round = 0; round < LEAVING_ROUNDS; round += 1) {
    const [next] = await Promise.all([open('service'), leaving.close()]);
    await assertRuns(next.connectionString);
    await next.close();
    leaving = await open('admin');
  }
});

test('a start that was killed halfway leaves nothing that breaks the next one', async (t) => {
  const { dataDir, open } = await newDataFolder(t);
  await mkdir(join(dataDir, 'postgres.new-abcdef', 'base'), { recursive: true });
  await mkdir(join(dataDir, 'postgres'));
  await assertRuns((await open()).connectionString);
  assert.equal((await readdir(dataDir)).includes('postgres.new-abcdef'), false);
});
