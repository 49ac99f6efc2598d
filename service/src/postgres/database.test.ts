import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { pollUntil } from '../../test/poll.ts';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import { createAdmission } from './admit-connections.ts';
import { type Database, DatabaseUnreachable, OutcomeUnknown, openDatabase } from './database.ts';

const DEADLINE_MS = 1_000;

let test: TestDatabase;
let database: Database;

before(async () => {
  test = await createTestDatabase();
  database = openDatabase({
    connectionString: test.connectionString,
    applicationName: 'kafue-test',
    connectionsMax: 1,
    deadlineMs: DEADLINE_MS,
    onError: () => undefined,
  });
});
after(async () => {
  await database.close();
  await test.drop();
});

const statement = (text: string) => ({ name: '', text });
const pidOf = async (): Promise<number> => {
  const [row] = await database.query<{ pid: number }>(statement('select pg_backend_pid() as pid'));
  return row?.pid ?? 0;
};

const isActive = async (pid: number): Promise<boolean> => {
  const [row] = await test.database.query<{ active: boolean }>(
    statement(
      `select exists (select from pg_stat_activity where pid = ${pid} and state = 'active') as active`,
    ),
  );
  return row?.active === true;
};

describe('a database handle', () => {
  it('returns int8 as bigint, and other types unchanged', async () => {
    const [row] = await database.query(statement('select 9007199254740993::bigint as n'));
    assert.equal(row?.n, 9007199254740993n);
  });

  it('rolls back and keeps its connection when the work throws', async () => {
    const before = await pidOf();
    const work = database.transaction(async (tx) => {
      await tx.query(statement('create table half_done (n integer)'));
      throw new Error('a business reason');
    });
    await assert.rejects(work, /a business reason/);
    assert.equal(await pidOf(), before);
    await assert.rejects(database.query(statement('select n from half_done')), /does not exist/);
  });

  it('reports the outcome as unknown when the server ends the connection, and survives', async () => {
    const pid = await pidOf();
    const sleeping = assert.rejects(
      database.query(statement('select pg_sleep(30)')),
      OutcomeUnknown,
    );
    await pollUntil('the statement to run', () => isActive(pid));
    await test.database.query(statement(`select pg_terminate_backend(${pid})`));
    await sleeping;
    assert.notEqual(await pidOf(), pid);
  });

  it('drops the socket past the deadline, without a cancel, and survives', async () => {
    const pid = await pidOf();
    await assert.rejects(database.query(statement('select pg_sleep(5)')), OutcomeUnknown);
    assert.equal(await isActive(pid), true, 'the statement was cancelled');
    assert.notEqual(await pidOf(), pid);
  });

  it('survives a server that ends the connection as it becomes ready', async () => {
    await using server = await startFakeServer((socket) => {
      socket.end(Buffer.concat([READY, errorMessage({ severity: 'FATAL', code: '57P01' })]));
    });
    const database = openFake(server.port);
    await assert.rejects(
      () => database.query(statement('select 1')),
      (error) => error instanceof OutcomeUnknown || error instanceof DatabaseUnreachable,
    );
    await database.close();
  });

  for (const last of [
    { severity: 'PANIC', code: '53100' },
    { severity: 'FATAL', code: '25P03' },
    { severity: 'PANIK', code: '58030' },
  ]) {
    it(`reports the outcome as unknown when the last message is ${last.severity} ${last.code}`, async () => {
      await using server = await startFakeServer((socket) => {
        socket.write(READY);
        socket.once('data', () => {
          socket.write(DURABLE);
          socket.once('data', () => socket.end(errorMessage(last)));
        });
      });
      const database = openFake(server.port);
      await assert.rejects(database.query(statement('insert')), OutcomeUnknown);
      await database.close();
    });
  }

  it('keeps a connection that is admitted after the query that wanted it has given up', async () => {
    const late = Promise.withResolvers<void>();
    let connections = 0;
    const admit = async (): Promise<void> => {
      connections += 1;
      if (connections === 2) await late.promise;
    };
    const one = openDatabase({
      connectionString: test.connectionString,
      applicationName: 'kafue-test',
      connectionsMax: 1,
      admission: { ...createAdmission({}), admit },
      onError: () => undefined,
    });
    // The only connection breaks while a query waits for it, and the next one takes long to be admitted.
    const broken = one.query(statement('select pg_terminate_backend(pg_backend_pid())'));
    const waiting = one.query(statement('select 1'));
    await assert.rejects(broken, OutcomeUnknown);
    await assert.rejects(waiting, DatabaseUnreachable);
    late.resolve();
    assert.deepEqual(await one.query(statement('select 1 as n')), [{ n: 1 }]);
    await one.close();
    assert.equal(connections, 2);
  });

  it('reports that no connection was available, since then nothing was begun', async () => {
    const nowhere = openDatabase({
      connectionString: 'postgres://user@127.0.0.1:1/nothing',
      applicationName: 'kafue-test',
      connectionsMax: 1,
      onError: () => undefined,
    });
    await assert.rejects(nowhere.query(statement('select 1')), DatabaseUnreachable);
    await nowhere.close();
  });
});

const READY = Buffer.concat([
  Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0]),
  Buffer.from([0x5a, 0, 0, 0, 5, 0x49]),
]);

/** The response to the first query on each connection: the settings are durable. */
const DURABLE = durableAnswer();

function durableAnswer(): Buffer {
  const message = (type: string, body: Buffer) => {
    const length = Buffer.alloc(4);
    length.writeInt32BE(4 + body.length);
    return Buffer.concat([Buffer.from(type), length, body]);
  };
  const names = ['fsync', 'full_page_writes', 'synchronous_commit'];
  const count = Buffer.from([0, names.length]);
  // No table, no column, type text (25), any length, no modifier, as text.
  const rest = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 0, 25, 255, 255, 255, 255, 255, 255, 0, 0]);
  const columns = names.map((name) => Buffer.concat([Buffer.from(`${name}\0`), rest]));
  const values = names.map(() => Buffer.from([0, 0, 0, 2, ...Buffer.from('on')]));
  return Buffer.concat([
    message('T', Buffer.concat([count, ...columns])),
    message('D', Buffer.concat([count, ...values])),
    message('C', Buffer.from('SELECT 1\0')),
    message('Z', Buffer.from('I')),
  ]);
}

function errorMessage({ severity, code }: Readonly<{ severity: string; code: string }>): Buffer {
  const fields = Buffer.from(`S${severity}\0C${code}\0Mit is over\0\0`);
  return Buffer.concat([Buffer.from([0x45, 0, 0, 0, 4 + fields.length]), fields]);
}

function openFake(port: number): Database {
  return openDatabase({
    connectionString: `postgres://user@127.0.0.1:${port}/somewhere`,
    applicationName: 'kafue test',
    connectionsMax: 1,
    deadlineMs: DEADLINE_MS,
    onError: () => undefined,
  });
}

/** Behaves like a server whose main process or disk died, which a real server does not do on request. */
async function startFakeServer(greet: (socket: Socket) => void) {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => greet(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.close();
      await once(server, 'close');
    },
  };
}
