import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { newTestId } from '../../test/stored-doubt.ts';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import { AdminRefused } from '../domain/admin-refused.ts';
import { addAdministrator } from './add-administrator.ts';
import { createAdminKey, readAdminKey } from './admin-key.ts';
import { authenticateAdministrator } from './authenticate-administrator.ts';
import { listActs } from './list-acts.ts';
import { listAdministrators } from './list-administrators.ts';
import { removeAdministrator } from './remove-administrator.ts';

let test: TestDatabase;
beforeEach(async () => {
  test = await createTestDatabase();
});
afterEach(() => test.drop());

const deps = () => ({
  database: test.database,
  now: () => new Date(),
  newId: newTestId,
  randomBytes,
});
const add = (name: string, key?: string) => addAdministrator(deps(), { name, key });
const remove = (name: string, key?: string) => removeAdministrator(deps(), { name, key });
const names = async () =>
  (await listAdministrators(test.database)).flatMap((one) =>
    one.removedAt === null ? [one.name] : [],
  );

describe('administrators', () => {
  it('are added by each other, except the first', async () => {
    const first = await add('Chanda Phiri');
    await assert.rejects(add('Mutinta'), /ADMIN_KEY is not set/);
    await assert.rejects(add('Mutinta', createAdminKey(randomBytes).text), /opens nothing/);
    await add('Mutinta', first.key);
    assert.deepEqual(await names(), ['Chanda Phiri', 'Mutinta']);
    const { acts } = await listActs(test.database);
    assert.deepEqual(
      acts.map(({ administrator, act, subject }) => [administrator, act, subject]),
      [
        ['Chanda Phiri', 'administrators add', 'Mutinta'],
        [null, 'administrators add', 'Chanda Phiri'],
      ],
    );
  });

  it('have one first, also when many would be it at the same moment', async () => {
    const tried = await Promise.allSettled(['A', 'B', 'C', 'D'].map((name) => add(name)));
    assert.equal(tried.filter(({ status }) => status === 'fulfilled').length, 1);
    assert.equal((await names()).length, 1);
  });

  it('have a name each, whatever its case, and no control characters in it', async () => {
    const { key } = await add('Chanda');
    await assert.rejects(add('CHANDA', key), /already an administrator called "Chanda"/);
    for (const name of ['', '  ', 'a\u001b[2J', 'x'.repeat(81)]) {
      await assert.rejects(add(name, key), AdminRefused);
    }
  });

  it('act no more once removed, and come back as the same person with another key', async () => {
    const first = await add('Chanda');
    const second = await add('Mutinta', first.key);
    await remove('mutinta', first.key);
    await assert.rejects(
      authenticateAdministrator(test.database, second.key),
      /its owner was removed/,
    );
    const again = await add('Mutinta', first.key);
    assert.equal(again.id, second.id);
    assert.equal(again.returned, true);
    assert.notEqual(again.key, second.key);
    await assert.rejects(authenticateAdministrator(test.database, second.key), AdminRefused);
    const known = await authenticateAdministrator(test.database, again.key);
    assert.equal(known.name, 'Mutinta');
  });

  it('keep a last one, so that nobody can make themselves the first again', async () => {
    const first = await add('Chanda');
    await assert.rejects(remove('Chanda', first.key), /the last administrator/);
    const second = await add('Mutinta', first.key);
    const both = await Promise.allSettled([
      remove('Chanda', second.key),
      remove('Mutinta', first.key),
    ]);
    assert.equal(both.filter(({ status }) => status === 'fulfilled').length, 1);
    assert.equal((await names()).length, 1);
    await assert.rejects(remove('Nobody', first.key), AdminRefused);
  });

  it('have keys of 192 random bits, of which only the hash is stored', async () => {
    const { key } = await add('Chanda');
    assert.match(key, /^adm_[0-9a-f]{48}$/);
    assert.equal(readAdminKey(`${key}0`), undefined);
    const text = `select administrators::text as row, encode(key_hash, 'hex') as hash
                  from administrators`;
    const [stored] = await test.database.query<{ row: string; hash: string }>({ name: '', text });
    assert.ok(!stored?.row.includes(key) && !stored?.row.includes(key.slice(4)));
    assert.equal(stored?.hash, readAdminKey(key)?.toString('hex'));
    assert.notEqual((await add('Mutinta', ` ${key}\n`)).key, key);
  });

  it('cannot change or remove what they did', async () => {
    await add('Chanda');
    for (const text of [
      `update administrator_acts set act = 'nothing'`,
      'delete from administrator_acts',
      'truncate administrator_acts',
    ]) {
      await assert.rejects(test.database.query({ name: '', text }), /append-only/);
    }
  });
});
