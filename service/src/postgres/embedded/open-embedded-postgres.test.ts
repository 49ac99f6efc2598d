import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdir, rm, stat } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import {
  assertRuns,
  assertStopped,
  newDataFolder,
  prepareDataFolders,
  query,
} from '../../../test/embedded/data-folders.ts';
import { AlreadyRunning } from './open-embedded-postgres.ts';

const dataFolder = prepareDataFolders();

async function reaches(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 1_000 });
    const settle = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', () => settle(true));
    socket.once('error', () => settle(false));
    socket.once('timeout', () => settle(false));
  });
}

function portOf(connectionString: string): number {
  return Number(new URL(connectionString).port);
}

test('an empty data folder gets a database, and stored data survives a restart', async (t) => {
  const { dataDir, open } = await newDataFolder(t);
  const first = await open();
  assert.equal(first.reassigned, false);
  await query(first.connectionString, 'create table kept as select 42 as n');
  await first.close();
  await first.close();
  await assertStopped(first.connectionString);

  const second = await open();
  assert.deepEqual(await query(second.connectionString, 'select n from kept'), ['42']);
  await second.close();
  const files = ['postgres', 'postgres-password', 'postgres.log'];
  assert.deepEqual((await readdir(dataDir)).sort(), files);
});

test('checksums, fsync, full pages and synchronous commit are on', async (t) => {
  const { open } = await dataFolder(t);
  const { connectionString } = await open();
  for (const name of ['data_checksums', 'fsync', 'full_page_writes', 'synchronous_commit']) {
    assert.deepEqual(await query(connectionString, `show ${name}`), ['on'], name);
  }
});

test('a database that is configured not to be durable is refused with the name of the setting', async (t) => {
  const { open } = await dataFolder(t);
  const first = await open();
  await query(first.connectionString, 'alter database kafue set synchronous_commit = off');
  await first.close();
  await assert.rejects(open(), /synchronous_commit = off/);
  await assertStopped(first.connectionString);
});

test('only the password opens it, only on loopback, and not as superuser', async (t) => {
  const { dataDir, open } = await dataFolder(t);
  const { connectionString } = await open();
  assert.equal((await stat(join(dataDir, 'postgres-password'))).mode & 0o777, 0o600);
  assert.equal((await stat(join(dataDir, 'postgres'))).mode & 0o777, 0o700);

  const wrong = new URL(connectionString);
  wrong.password = 'x'.repeat(43);
  await assert.rejects(query(wrong.href, 'select 1'), { code: '28P01' });
  wrong.username = 'postgres';
  await assert.rejects(query(wrong.href, 'select 1'), { code: '28000' });
  assert.deepEqual(await query(connectionString, 'show is_superuser'), ['off']);

  const port = portOf(connectionString);
  assert.equal(await reaches('127.0.0.1', port), true);
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  for (const { address } of addresses.filter((entry) => !entry.address.startsWith('127.'))) {
    assert.equal(await reaches(address, port), false, address);
  }
});

test('a second service is refused with the description of the first, which keeps running', async (t) => {
  const { open, openInChild } = await dataFolder(t);
  const first = await openInChild('service', 'pid 123, http://127.0.0.1:3000');
  await assert.rejects(open(), (error: Error) => {
    assert.ok(error instanceof AlreadyRunning);
    assert.match(error.message, /in use by: pid 123, http:\/\/127\.0\.0\.1:3000\./);
    return true;
  });
  await assertRuns(first.connectionString);
  await first.close();
  await assertStopped(first.connectionString);
});

test('administration beside a service does not stop its server; the last user stops it', async (t) => {
  const { open, openInChild } = await dataFolder(t);
  const service = await open();
  const admin = await openInChild('admin');
  assert.equal(admin.report['reassigned'], true);
  assert.equal(admin.connectionString, service.connectionString);
  await admin.close();
  await assertRuns(service.connectionString);

  const later = await open('admin');
  await service.close();
  await assertRuns(later.connectionString);
  await later.close();
  await assertStopped(later.connectionString);
});

test('administration without a service starts the server and stops it again', async (t) => {
  const { open } = await dataFolder(t);
  const admin = await open('admin');
  assert.equal(admin.reassigned, false);
  await assertRuns(admin.connectionString);
  await admin.close();
  await assertStopped(admin.connectionString);
});

test('another port is used when the previous one is taken', async (t) => {
  const { open } = await dataFolder(t);
  const first = await open();
  const port = portOf(first.connectionString);
  await first.close();
  const squatter = createServer().listen({ host: '127.0.0.1', port });
  await once(squatter, 'listening');
  t.after(() => squatter.close());
  const second = await open();
  assert.notEqual(portOf(second.connectionString), port);
});

test('a server that cannot start is reported with the end of its log', async (t) => {
  const { dataDir, open } = await dataFolder(t);
  await rm(join(dataDir, 'postgres', 'global', 'pg_control'));
  await assert.rejects(open(), /could not find the database system/);
});

test('a missing password file is reported, and no other is created', async (t) => {
  const { dataDir, open } = await dataFolder(t);
  await rm(join(dataDir, 'postgres-password'));
  await assert.rejects(open(), /postgres-password is gone/);
  assert.deepEqual((await readdir(dataDir)).includes('postgres-password'), false);
});
