import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { after, afterEach, before, describe, it } from 'node:test';
import { makeCell } from '../../test/make-cell.ts';
import { createTestBook } from '../../test/test-book.ts';
import { listTestCell } from '../../test/test-cell.ts';
import { createTestDatabase, openTestPool, type TestDatabase } from '../../test/test-database.ts';
import type { Book } from '../domain/book.ts';
import { type Database, openDatabase } from '../postgres/database.ts';
import { searchPathOf } from '../schema/service-schema.ts';
import { agreeOnSealingKeys, refuseUnknownSealingKeys } from './agree-on-keys.ts';
import { endpointSecretPurpose } from './endpoint.ts';
import { BadSealingKeys } from './read-sealing-keys.ts';
import { createSealer, type SealingKey } from './seal-secret.ts';

const key = (id: string): SealingKey => ({ id, key: randomBytes(32) });
const k1 = key('k1');
const k2 = key('k2');
const k3 = key('k3');

let test: TestDatabase;
/** As the role of the service: an external database may have no other. */
let service: Database;
const env: Record<string, string> = {};
before(async () => {
  test = await createTestDatabase();
  service = openDatabase({
    connectionString: test.serviceUrl,
    applicationName: 'kafue-test',
    connectionsMax: 4,
    onError: () => undefined,
  });
});
after(async () => {
  await service.close();
  await test.drop();
});
afterEach(async () => {
  await test.database.query({ name: '', text: 'delete from sealing_keys' });
  await test.database.query({ name: '', text: 'delete from webhook_endpoints' });
});

const agree = (keys: readonly SealingKey[], lost: readonly string[] = []) =>
  agreeOnSealingKeys({ database: service, env, now: () => new Date() }, { keys, lost });

async function refusal(keys: readonly SealingKey[]): Promise<string> {
  const error: unknown = await agree(keys).then(
    () => assert.fail('the keys were taken'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof BadSealingKeys, String(error));
  for (const one of keys) {
    assert.ok(!error.message.includes(Buffer.from(one.key).toString('base64')));
  }
  return error.message;
}

async function sealWith(keys: readonly SealingKey[], database = test.database): Promise<Book> {
  const book = await createTestBook(database);
  const id = randomUUID();
  const sealed = createSealer(keys).seal('whsec_x', endpointSecretPurpose({ bookId: book.id, id }));
  await database.query(
    {
      name: '',
      text: `insert into webhook_endpoints (book_id, id, url, secret_sealed, created_at)
             values ($1, $2, 'https://example.com', $3, now())`,
    },
    [book.id, id, sealed],
  );
  return book;
}

describe('processes of one database', () => {
  it('have the same keys, before anything is sealed too', async () => {
    await agree([k1]);
    await agree([k1]);
    assert.match(
      await refusal([k2]),
      /the key "k1"[^]*WEBHOOK_SECRET_KEYS[^]*WEBHOOK_KEYS_LOST=k1/,
    );
  });

  it('have one key under one id', async () => {
    await agree([k1]);
    assert.match(await refusal([key('k1')]), /key "k1" of this process is another/);
    assert.match(await refusal([k2, key('k1')]), /key "k1" of this process is another/);
  });

  it('agree when they start at once with different keys: one of them', async () => {
    const settled = await Promise.allSettled([agree([k1]), agree([k2]), agree([k3])]);
    assert.equal(settled.filter(({ status }) => status === 'fulfilled').length, 1);
  });

  it('keep no key', async () => {
    await agree([k1]);
    const rows = await test.database.query<{ row: string }>({
      name: '',
      text: 'select s::text as row from sealing_keys s',
    });
    assert.equal(rows.length, 1);
    assert.ok(!rows[0]?.row.includes(Buffer.from(k1.key).toString('hex')));
  });
});

describe('a rotation', () => {
  it('goes process by process: the new key behind, then in front, then alone', async () => {
    await sealWith([k1]);
    await agree([k1]);
    await agree([k1, k2]);
    await agree([k1]);
    await agree([k2, k1]);
    await agree([k1, k2]);
    assert.match(await refusal([k1]), /the key "k2"/);
    await agree([k2, k1]);
    assert.match(await refusal([k2]), /the key "k1"/);
    await test.database.query({ name: '', text: 'delete from webhook_endpoints' });
    await agree([k2]);
    // Nothing is sealed with it any more, so that its id is free.
    await agree([k2, key('k1')]);
  });

  it('does not wait for endpoints of a merchant that has left the cell', async () => {
    const { merchantId } = await sealWith([k1]);
    await agree([k2, k1]);
    assert.match(await refusal([k2]), /the key "k1"/);
    const move = (state: string) =>
      test.database.query({ name: '', text: 'update merchants set state = $2 where id = $1' }, [
        merchantId,
        state,
      ]);
    await move('closing');
    assert.match(await refusal([k2]), /the key "k1"/);
    await move('moved');
    await agree([k2]);
    await move('open');
  });

  it('goes in one step too: the new key in front beside a process that has the old one alone', async () => {
    await agree([k1]);
    await agree([k2, k1]);
    assert.match(await refusal([k1]), /the key "k2"/);
  });
});

describe('a database of a version that kept no keys', () => {
  it('is used with the keys that open its stored secrets', async () => {
    await sealWith([k1]);
    assert.match(await refusal([k2]), /the key "k1"/);
    assert.match(await refusal([key('k1')]), /key "k1" of this process is another/);
    await agree([k2, k1]);
  });
});

describe('a key that is lost', () => {
  it('is done without when that is said', async () => {
    await sealWith([k1]);
    await agree([k1]);
    await refusal([k2]);
    await agree([k2], ['k1']);
    await agree([k2], ['k1']);
    assert.match(await refusal([k1]), /the key "k2"/);
  });

  it('is not forgotten where it is not lost', async () => {
    await agree([k1]);
    await agree([k1], ['k1']);
    await refusal([k2]);
  });
});

describe('a cell beside the first', () => {
  const place = { name: 'east', schema: 'cell_east' };
  let east: Database;
  before(async () => {
    await makeCell(test.database, place, new URL(test.serviceUrl).username);
    east = openTestPool(test.connectionString, searchPathOf(place));
  });
  after(() => east.close());
  afterEach(() => east.query({ name: '', text: 'delete from webhook_endpoints' }));

  it('is looked at too: a key that only its secrets need must be there', async () => {
    await sealWith([k1], east);
    assert.match(await refusal([k2]), /the key "k1"/);
    assert.match(await refusal([key('k1')]), /key "k1" of this process is another/);
    await agree([k2, k1]);
    assert.match(await refusal([k2]), /the key "k1"/);
    await agree([k2], ['k1']);
  });

  it('does not prevent the start while it is away, and no key is forgotten then', async () => {
    await agree([k1]);
    await agree([k2, k1]);
    env.AWAY_DATABASE_URL = 'postgres://kafue@127.0.0.1:1/kafue';
    const away = { name: 'away', schema: 'cell_away', urlVariable: 'AWAY_DATABASE_URL' };
    await listTestCell(test.database, away);
    try {
      await agree([k2]);
      assert.match(await refusal([k2, key('k1')]), /key "k1" of this process is another/);
    } finally {
      await test.database.query({
        name: '',
        text: `delete from directory.cells where name = 'away'`,
      });
    }
    await agree([k2]);
    await agree([k2, key('k1')]);
  });

  it('is refused when it comes back with secrets of a key that the process does not have', async () => {
    await sealWith([k1], east);
    const sealer = createSealer([k2]);
    await assert.rejects(refuseUnknownSealingKeys({ database: east, sealer }, []), BadSealingKeys);
    await refuseUnknownSealingKeys({ database: east, sealer }, ['k1']);
    await refuseUnknownSealingKeys({ database: east, sealer: createSealer([k2, k1]) }, []);
  });
});
