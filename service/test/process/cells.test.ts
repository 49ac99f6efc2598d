import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { pollUntil } from '../poll.ts';
import { type RunningService, startService } from '../running-service.ts';
import { addTestCell, listTestCell, placeTestMerchant, type TestCell } from '../test-cell.ts';
import { createDatabaseOfOneCell, type TestDatabase } from '../test-database.ts';
import { createTestMerchant, type TestMerchant } from '../test-merchant.ts';
import { storePerson } from '../test-person.ts';

/** Takes connections, and says nothing. */
const sockets = new Set<Socket>();
const hanging = createServer((socket) => {
  sockets.add(socket.on('error', () => undefined));
});

const PHONE = '0977433571';

let test: TestDatabase;
let service: RunningService;
let inMain: TestMerchant;
before(async () => {
  test = await createDatabaseOfOneCell();
  inMain = await createTestMerchant(test.database);
  hanging.listen(0, '127.0.0.1');
  await once(hanging, 'listening');
  const { port } = hanging.address() as AddressInfo;
  const env = {
    // Nothing listens there.
    FAR_DATABASE_URL: 'postgres://kafue@127.0.0.1:1/nothing',
    HANGING_DATABASE_URL: `postgres://kafue@127.0.0.1:${port}/nothing`,
  };
  service = await startService({ databaseUrl: test.connectionString, env });
});
after(async () => {
  await service.end('SIGKILL');
  hanging.close();
  for (const socket of sockets) socket.destroy();
  await test.drop();
});

async function call(merchant: TestMerchant, path: string, body?: object) {
  const response = await fetch(`${service.baseUrl}/api/v1/payments/${path}`, {
    headers: { 'x-api-key': merchant.keys.test, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  });
  const { data } = (await response.json()) as {
    data: {
      id: string;
      status: string;
      items: readonly Readonly<{ id: string }>[];
      error: Readonly<{ code: string }>;
    };
  };
  return { status: response.status, headers: response.headers, data };
}

const pay = (merchant: TestMerchant) =>
  call(merchant, 'transfers/mobile-money', {
    amount: 1,
    reference: randomUUID(),
    phone: PHONE,
    operator: 'mtn',
    country: 'zm',
    walletId: merchant.wallets.test.ZMW,
  });

async function payWhole(merchant: TestMerchant): Promise<string> {
  const { status, data } = await pay(merchant);
  assert.equal(status, 201);
  await pollUntil('the transfer is paid', async () => {
    return (await call(merchant, `transfers/${data.id}`)).data.status === 'successful';
  });
  return data.id;
}

async function readText(path: string): Promise<string> {
  const response = await fetch(`${service.baseUrl}${path}`);
  assert.equal(response.status, 200);
  return response.text();
}

const countTransfers = async ({ database }: Pick<TestCell, 'database'>) =>
  (await database.query({ name: '', text: 'select from transfers' })).length;

describe('a service whose directory gets more cells while it runs', () => {
  let east: TestCell;
  let inEast: TestMerchant;
  before(async () => {
    await payWhole(inMain);
    assert.match(
      await readText('/metrics'),
      /^kafue_commit_queue_group_size_sum\{queue="initiate"\}/m,
    );
    assert.match(await readText('/metrics'), /^kafue_cell_up\{cell="main"\} 1$/m);
    east = await addTestCell(test, 'east');
    inEast = await east.createMerchant();
  });
  after(() => east.database.close());

  it('pays for the books of each cell in that cell alone', async () => {
    await pollUntil(
      'the new cell answers',
      async () => (await call(inEast, 'wallets')).status === 200,
    );
    const before = await countTransfers(test);
    const id = await payWhole(inEast);
    assert.equal(await countTransfers(test), before);
    assert.equal(await countTransfers(east), 1);
    await payWhole(inMain);
    assert.equal(await countTransfers(test), before + 1);
    const listed = (await call(inEast, 'transfers')).data.items;
    assert.deepEqual(
      listed.map((transfer) => transfer.id),
      [id],
    );
    assert.equal((await call(inMain, `transfers/${id}`)).status, 404);
  });

  it('tells them apart in metrics', async () => {
    const text = await readText('/metrics');
    assert.match(text, /^kafue_cell_up\{cell="east"\} 1$/m);
    assert.match(text, /^kafue_commit_queue_group_size_sum\{cell="east",queue="initiate"\} 1$/m);
    assert.match(text, /^kafue_commit_queue_waiting\{cell="main",queue="initiate"\} 0$/m);
    assert.match(text, /^kafue_incidents_open 0$/m);
  });

  it('refuses a number that the company denies in all of them from the answer on', async () => {
    const admin = await storePerson(test.database, { staffRoles: ['admin'] });
    const change = (path: string, body: object) =>
      fetch(`${service.baseUrl}/api/v1/operations/${path}`, {
        method: 'POST',
        headers: { ...admin.headers, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    const denied = await change('lists', { phone: `+260${PHONE.slice(1)}`, reason: 'sanctions' });
    assert.equal(denied.status, 201);
    const statuses = async () => [(await pay(inMain)).status, (await pay(inEast)).status];
    assert.deepEqual(await statuses(), [422, 422]);
    const { data } = (await denied.json()) as { data: Readonly<{ id: string }> };
    assert.equal((await change(`lists/${data.id}/end`, { reason: 'a mistake' })).status, 200);
    assert.deepEqual(await statuses(), [201, 201]);
  });

  it('refuses the books of a cell that cannot be reached, names it, and serves all others', async () => {
    await listTestCell(test.database, {
      name: 'far',
      schema: 'cell_far',
      urlVariable: 'FAR_DATABASE_URL',
    });
    await listTestCell(test.database, {
      name: 'unset',
      schema: 'cell_unset',
      urlVariable: 'UNSET_DATABASE_URL',
    });
    await pollUntil('readiness names the cells', async () =>
      (await readText('/health/ready')).includes('"far","unset"'),
    );
    assert.deepEqual(JSON.parse(await readText('/health/ready')), {
      status: 'ready',
      cellsDown: ['far', 'unset'],
    });
    for (const cell of ['far', 'unset']) {
      const merchant = await east.createMerchant();
      await placeTestMerchant(test.database, { merchantId: merchant.id, cell });
      const { status, headers, data } = await pay(merchant);
      assert.deepEqual(
        [status, data.error.code, headers.get('retry-after'), headers.get('x-should-retry')],
        [503, 'CELL_UNAVAILABLE', '5', 'true'],
      );
    }
    await payWhole(inMain);
    await payWhole(inEast);
    assert.match(await readText('/metrics'), /^kafue_cell_up\{cell="far"\} 0$/m);
    await pollUntil(
      'figures that leave out a cell are not shown',
      async () => !/^kafue_(incidents_open|transfers_in_state)/m.test(await readText('/metrics')),
    );
    await pollUntil('the log names the cell', () =>
      /"cell":"far".*a cell does not answer/.test(service.output()),
    );
    assert.match(service.output(), /"cell":"unset".*UNSET_DATABASE_URL is not set/);
  });

  it('finds the key again in the cell that its merchant is moved to', async () => {
    const moved = await east.createMerchant();
    assert.equal((await call(moved, 'wallets')).status, 200);
    const text = `update directory.merchants set cell = 'main' where id = $1`;
    await test.database.query({ name: '', text }, [moved.id]);
    for (const table of ['merchants', 'books']) {
      const mine = table === 'merchants' ? 'id' : 'merchant_id';
      const copy = `insert into public.${table} select * from cell_east.${table} where ${mine} = $1`;
      await test.database.query({ name: '', text: copy }, [moved.id]);
    }
    // The source no longer has it.
    const forget = `delete from cell_east.books where merchant_id = $1`;
    await east.database.query({ name: '', text: `delete from wallets where book_id = any($1)` }, [
      Object.values(moved.books),
    ]);
    await east.database.query({ name: '', text: forget }, [moved.id]);
    await pollUntil('its wallets are looked for in the other cell', async () => {
      const { status, data } = await call(moved, 'wallets');
      return status === 200 && data.items.length === 0;
    });
  });

  it('ends the work of a cell that is gone from the directory', async () => {
    for (const text of [
      `delete from directory.api_keys k using directory.books b, directory.merchants m
       where k.book_id = b.id and m.id = b.merchant_id and m.cell in ('far', 'unset')`,
      `delete from directory.books b using directory.merchants m
       where m.id = b.merchant_id and m.cell in ('far', 'unset')`,
      `delete from directory.merchants where cell in ('far', 'unset')`,
      `delete from directory.cells where name in ('far', 'unset')`,
    ]) {
      await test.database.query({ name: '', text });
    }
    await pollUntil('no cell is down', async () =>
      (await readText('/health/ready')).includes('{"status":"ready"}'),
    );
    await payWhole(inEast);
  });

  it('goes on with all others while the server of a cell hangs', async () => {
    await listTestCell(test.database, {
      name: 'hanging',
      schema: 'cell_hanging',
      urlVariable: 'HANGING_DATABASE_URL',
    });
    await pollUntil('its server is asked', () => sockets.size > 0);
    const startedMs = performance.now();
    for (let round = 0; round < 5; round += 1) {
      await Promise.all([payWhole(inMain), payWhole(inEast)]);
    }
    // Less than one probe takes.
    assert.ok((performance.now() - startedMs) / 5 < 1_500);
    assert.deepEqual(JSON.parse(await readText('/health/ready')), {
      status: 'ready',
      cellsDown: ['hanging'],
    });
  });

  it('stops with all of them', async () => {
    assert.equal(await service.end(), 0);
  });
});
