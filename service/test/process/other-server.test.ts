import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { moveMerchant } from '../../src/cells/move/move-merchant.ts';
import { listAllOperations } from '../../src/http/list-all-operations.ts';
import { type Database, openDatabase } from '../../src/postgres/database.ts';
import { DIRECTORY } from '../../src/schema/service-schema.ts';
import { runCommand } from '../admin-command.ts';
import { pollUntil } from '../poll.ts';
import { type RunningService, startService } from '../running-service.ts';
import { openFar, openSecondServer, type SecondServer } from '../second-server.ts';
import { TEST_ACTOR } from '../test-actor.ts';
import { createDatabaseOfOneCell, type TestDatabase } from '../test-database.ts';
import { createTestMerchant, type TestMerchant } from '../test-merchant.ts';
import { storePerson, type TestPerson } from '../test-person.ts';

/** What people are told: a key that is revoked works nowhere after a second. */
const KNOWN_WITHIN_MS = 1_000;

let test: TestDatabase;
let second: SecondServer;
let service: RunningService;
let directory: Database;
let far: Database;
let inMain: TestMerchant;
let inFar: TestMerchant;
let extraKey: Readonly<{ id: string; text: string }>;
before(async () => {
  [test, second] = await Promise.all([createDatabaseOfOneCell(), openSecondServer()]);
  const env = {
    FAR_DATABASE_URL: second.serviceUrl,
    MIGRATION_FAR_DATABASE_URL: second.connectionString,
  };
  const added = await runCommand(test, env, [
    'cells',
    'add',
    'far',
    '--database-url-env',
    'FAR_DATABASE_URL',
  ]);
  assert.equal(added.exitCode, 0, added.error);
  directory = openDatabase({
    connectionString: test.connectionString,
    applicationName: 'kafue-test',
    connectionsMax: 2,
    searchPath: [DIRECTORY.schema],
    onError: () => undefined,
  });
  far = openFar(second.connectionString);
  inMain = await createTestMerchant(test.database);
  inFar = await createTestMerchant(test.database);
  extraKey = await inFar.issueKey({});
  const cells = [
    { name: 'main', database: test.database },
    { name: 'far', database: far },
  ];
  await moveMerchant(
    {
      directory,
      cellNamed: (name) => cells.find((cell) => cell.name === name) ?? assert.fail(name),
      now: () => new Date(),
      newId: randomUUID,
      monotonicMs: () => performance.now(),
    },
    { actor: TEST_ACTOR, merchant: inFar.id, reason: null, to: 'far' },
  );
  // Without the address of the owner: the service only reads what was migrated.
  const { FAR_DATABASE_URL } = env;
  service = await startService({ databaseUrl: test.serviceUrl, env: { FAR_DATABASE_URL } });
  // It starts without a cell that is slow to answer on a busy machine, and takes it in once it does.
  await pollUntil('the cell on the other server answers', async () => {
    return (await call(inFar.keys.test, 'wallets')).status === 200;
  });
});
after(async () => {
  await service.end('SIGKILL');
  await Promise.all([directory.close(), far.close()]);
  await Promise.all([test.drop(), second.close()]);
});

async function call(key: string, path: string, body?: object) {
  const response = await fetch(`${service.baseUrl}/api/v1/payments/${path}`, {
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  });
  const { data } = (await response.json()) as {
    data: { id: string; status: string; error?: Readonly<{ code: string }> };
  };
  return { status: response.status, data };
}

async function payWhole(merchant: TestMerchant): Promise<void> {
  const { status, data } = await call(merchant.keys.test, 'transfers/mobile-money', {
    amount: 1,
    reference: randomUUID(),
    phone: '0977433571',
    operator: 'mtn',
    country: 'zm',
    walletId: merchant.wallets.test.ZMW,
  });
  assert.equal(status, 201, JSON.stringify(data));
  await pollUntil('the transfer is paid', async () => {
    const found = await call(merchant.keys.test, `transfers/${data.id}`);
    return found.data.status === 'successful';
  });
}

/** Calls as a browser does for a person, in the live book of the merchant on the other server. */
async function callAs({ headers }: TestPerson, method: string, path: string, body?: object) {
  const response = await fetch(`${service.baseUrl}/api/v1/payments/${path}`, {
    method,
    headers: {
      ...headers,
      'x-book': inFar.books.live,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const { data } = (await response.json()) as { data: { version?: number | null } };
  return { status: response.status, data };
}

/** Two owners with sessions, once the copy on the other server has them. */
async function storeOwners(): Promise<readonly [TestPerson, TestPerson]> {
  const given = { roles: [{ merchantId: inFar.id, role: 'owner' as const }] };
  const one = await storePerson(directory, given);
  const two = await storePerson(directory, given);
  const text = 'select from merchant_roles where person_id = any ($1::uuid[])';
  await pollUntil('the cell knows them', async () => {
    return (await far.query({ name: '', text }, [[one.id, two.id]])).length === 2;
  });
  return [one, two];
}

const countTransfers = async (database: Database) =>
  (await database.query({ name: '', text: 'select from transfers' })).length;

async function msUntil(what: string, isSo: () => Promise<boolean>): Promise<number> {
  const startedMs = performance.now();
  await pollUntil(what, isSo);
  return performance.now() - startedMs;
}

describe('a service with a cell on another server', () => {
  it('pays for the books of each server there alone', async () => {
    await payWhole(inFar);
    await payWhole(inMain);
    assert.deepEqual([await countTransfers(far), await countTransfers(test.database)], [1, 1]);
    const ready = await fetch(`${service.baseUrl}/health/ready`);
    assert.deepEqual(await ready.json(), { status: 'ready' });
  });

  it('refuses a revoked key there within a second', async () => {
    const { id, text: key } = extraKey;
    assert.equal((await call(key, 'wallets')).status, 200);
    const text = 'update api_keys set revoked_at = now() where id = $1';
    await directory.query({ name: '', text }, [id]);
    const ms = await msUntil(
      'the key is refused',
      async () => (await call(key, 'wallets')).status === 401,
    );
    assert.ok(ms < KNOWN_WITHIN_MS, `after ${ms} ms`);
  });

  it('knows there within a second of a removed person and a held route', async () => {
    const person = randomUUID();
    const write = (text: string) => directory.query({ name: '', text }, [person]);
    await write(`insert into people (id, name, created_at) values ($1, 'Chanda', now())`);
    await write(
      `insert into route_holds (route, held_by, reason, held_at, effect) values ('mtn-zm', $1, 'test', now(), 'held')`,
    );
    await write('update people set removed_at = now() where id = $1');
    // As statements of the cell read them.
    const text = `
      select h.route from route_holds h join people p on p.id = h.held_by
      where p.id = $1 and p.removed_at is not null`;
    const ms = await msUntil('the cell knows', async () => {
      return (await far.query({ name: '', text }, [person])).length === 1;
    });
    assert.ok(ms < KNOWN_WITHIN_MS, `after ${ms} ms`);
    await directory.query({ name: '', text: 'delete from route_holds' });
  });

  it('publishes a policy there by two owners, and shows it and what is left of its limits', async () => {
    const [one, two] = await storeOwners();
    const rules = [
      {
        name: 'big',
        when: { amountAtLeast: '5000.00' },
        require: { approvals: 1, of: ['approver', 'owner'] },
      },
      {
        name: 'daily',
        when: { sum: { by: 'person', day: true, above: '100000.00' } },
        require: { refuse: true },
      },
    ];
    const draft = await callAs(one, 'PUT', 'policy/draft', { rules });
    assert.equal(draft.status, 200, JSON.stringify(draft.data));
    assert.equal((await callAs(two, 'GET', 'policy')).status, 200);
    assert.equal((await callAs(one, 'POST', 'policy/draft/replay', {})).status, 200);
    const published = await callAs(one, 'POST', 'policy/draft/publish');
    assert.equal(published.status, 200, JSON.stringify(published.data));
    const confirmed = await callAs(two, 'POST', 'policy/draft/confirm');
    assert.deepEqual([confirmed.status, confirmed.data.version], [200, 1]);
    assert.equal((await callAs(two, 'GET', 'policy')).data.version, 1);
    assert.equal((await callAs(two, 'GET', 'limits')).status, 200);
  });

  it('answers every call that reads a book there', async () => {
    const [owner] = await storeOwners();
    const UNUSED: object = new Proxy({}, { get: () => UNUSED });
    const { book, bookPeople } = listAllOperations(UNUSED);
    const paths = [...book, ...bookPeople]
      .filter(({ method, path }) => method === 'GET' && path !== '/stream')
      .map(({ path }) => path.slice(1).replace(/:\w+/g, inFar.id));
    assert.ok(paths.length > 20);
    for (const path of paths) {
      const { status, data } = await callAs(owner, 'GET', path);
      assert.ok(status < 500, `${path}: ${JSON.stringify(data)}`);
    }
  });

  it('refuses the books there while the copy of the directory cannot be written, and no others', async () => {
    const role = new URL(second.serviceUrl).username;
    await second.database.query({
      name: '',
      text: `revoke update on directory.copy_position from ${role}`,
    });
    await directory.query({
      name: '',
      text: `insert into people (id, name, created_at) values (gen_random_uuid(), 'Unwritten', now())`,
    });
    const refused = await msUntil('its books are refused', async () => {
      const { status, data } = await call(inFar.keys.test, 'wallets');
      return status === 503 && data.error?.code === 'CELL_UNAVAILABLE';
    });
    // It may be 3 seconds behind.
    assert.ok(refused > 2_000 && refused < 5_000, `after ${refused} ms`);
    await payWhole(inMain);
    const ready = await (await fetch(`${service.baseUrl}/health/ready`)).json();
    assert.deepEqual(ready, { status: 'ready', cellsDown: ['far'] });
    assert.match(
      service.output(),
      /copying the directory to the server in FAR_DATABASE_URL failed/,
    );
    await second.database.query({
      name: '',
      text: `grant update on directory.copy_position to ${role}`,
    });
    await pollUntil('its books are served again', async () => {
      return (await call(inFar.keys.test, 'wallets')).status === 200;
    });
    await payWhole(inFar);
  });

  it('goes on with all others when the server dies, and names its cell', async () => {
    await second.close();
    for (let round = 0; round < 5; round += 1) {
      const startedMs = performance.now();
      await payWhole(inMain);
      // Less than a connection to the other server may take.
      assert.ok(performance.now() - startedMs < 3_000);
    }
    await pollUntil('readiness names it', async () => {
      const ready = await (await fetch(`${service.baseUrl}/health/ready`)).text();
      return ready.includes('"cellsDown":["far"]');
    });
    const { status, data } = await call(inFar.keys.test, 'wallets');
    assert.deepEqual([status, data.error?.code], [503, 'CELL_UNAVAILABLE']);
  });

  it('stops with all of them', async () => {
    assert.equal(await service.end(), 0);
  });
});
