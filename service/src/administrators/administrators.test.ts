import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { newTestId } from '../../test/stored-doubt.ts';
import { storeAccount } from '../../test/test-account.ts';
import { readActs, TEST_ACTOR } from '../../test/test-actor.ts';
import { createTestDatabase, openTestPool, type TestDatabase } from '../../test/test-database.ts';
import { createTestMerchant } from '../../test/test-merchant.ts';
import type { Actor } from '../domain/actor.ts';
import { AdminRefused } from '../domain/admin-refused.ts';
import { addAdministrator } from './add-administrator.ts';
import { createAdminKey, readAdminKey } from './admin-key.ts';
import { authenticateAdministrator } from './authenticate-administrator.ts';
import { listAdministrators } from './list-administrators.ts';
import { removeAdministrator } from './remove-administrator.ts';
import { replaceAdministrator } from './replace-administrator.ts';

let test: TestDatabase;
beforeEach(async () => {
  test = await createTestDatabase();
});
afterEach(() => test.drop());

const deps = () => ({
  directory: test.directory,
  cells: test.cells,
  now: () => new Date(),
  newId: newTestId,
  randomBytes,
  logger: { warn: () => undefined },
});
const actorOf = (key: string) => authenticateAdministrator(test.directory, key);
const add = async (name: string, key?: string) => {
  const actor: Actor = key === undefined ? TEST_ACTOR : await actorOf(key);
  return addAdministrator(deps(), { actor, name });
};
const remove = async (name: string, key: string) =>
  removeAdministrator(deps(), { actor: await actorOf(key), name });
const replace = (name: string, directory = test.directory) =>
  replaceAdministrator({ ...deps(), directory }, { actor: TEST_ACTOR, name, reason: 'key lost' });
const names = async () =>
  (await listAdministrators(test.directory)).flatMap((one) =>
    one.removedAt === null ? [one.name] : [],
  );

describe('administrators', () => {
  it('are added by each other, except the first', async () => {
    const first = await add('Chanda Phiri');
    await assert.rejects(add('Mutinta'), { code: 'ADMINISTRATOR_NEEDED' });
    for (const key of ['', 'adm_', createAdminKey(randomBytes).text]) {
      const code = key === '' ? 'ADMIN_KEY_MISSING' : 'ADMIN_KEY_UNKNOWN';
      await assert.rejects(actorOf(key), { code });
    }
    await add('Mutinta', first.key);
    assert.deepEqual(await names(), ['Chanda Phiri', 'Mutinta']);
    const acts = await readActs(test);
    assert.deepEqual(
      acts.map(({ actor, kind, subject }) => [actor.kind, actor.name, kind, subject]),
      [
        ['person', 'Chanda Phiri', 'ADMINISTRATOR_ADDED', 'Mutinta'],
        ['machine', 'tester@test.example', 'ADMINISTRATOR_ADDED', 'Chanda Phiri'],
      ],
    );
  });

  it('have one first, also when many would be it at the same moment', async () => {
    const tried = await Promise.allSettled(['A', 'B', 'C', 'D'].map((name) => add(name)));
    assert.equal(tried.filter(({ status }) => status === 'fulfilled').length, 1);
    assert.equal((await names()).length, 1);
  });

  it('have a name each, unique in any case, and no control characters in it', async () => {
    const { key } = await add('Chanda');
    await assert.rejects(add('CHANDA', key), {
      code: 'ADMINISTRATOR_EXISTS',
    });
    for (const name of ['', '  ', 'a\u001b[2J', 'x'.repeat(81)]) {
      await assert.rejects(add(name, key), AdminRefused);
    }
  });

  it('act no more once removed, and come back as the same person with another key', async () => {
    const first = await add('Chanda');
    const second = await add('Mutinta', first.key);
    await remove('mutinta', first.key);
    await assert.rejects(actorOf(second.key), { code: 'ADMIN_KEY_UNKNOWN' });
    const again = await add('Mutinta', first.key);
    assert.equal(again.id, second.id);
    assert.equal(again.returned, true);
    assert.notEqual(again.key, second.key);
    await assert.rejects(actorOf(second.key), AdminRefused);
    const known = await actorOf(again.key);
    assert.equal(known.name, 'Mutinta');
  });

  it('keep a last one, so that no user of the machine can make themselves the first again', async () => {
    const first = await add('Chanda');
    await assert.rejects(remove('Chanda', first.key), { code: 'ADMINISTRATOR_IS_LAST' });
    const second = await add('Mutinta', first.key);
    const both = await Promise.allSettled([
      remove('Chanda', second.key),
      remove('Mutinta', first.key),
    ]);
    assert.equal(both.filter(({ status }) => status === 'fulfilled').length, 1);
    assert.equal((await names()).length, 1);
    const [left] = await names();
    const key = left === 'Chanda' ? first.key : second.key;
    await assert.rejects(remove('Unknown', key), { code: 'ADMINISTRATOR_NOT_FOUND' });
  });

  it('have keys of 192 random bits, of which only the hash is stored', async () => {
    const { key } = await add('Chanda');
    assert.match(key, /^adm_[0-9a-f]{48}$/);
    assert.equal(readAdminKey(`${key}0`), undefined);
    const text = `select administrators::text as row, encode(key_hash, 'hex') as hash
                  from administrators`;
    const [stored] = await test.directory.query<{ row: string; hash: string }>({ name: '', text });
    assert.ok(!stored?.row.includes(key) && !stored?.row.includes(key.slice(4)));
    assert.equal(stored?.hash, readAdminKey(key)?.toString('hex'));
    assert.notEqual((await add('Mutinta', ` ${key}\n`)).key, key);
  });

  it('are replaced from the machine while alone: the old key ends, and it is recorded who did it', async () => {
    const first = await add('Chanda');
    const same = await replace('Chanda');
    assert.deepEqual([same.ended, same.added.id], ['Chanda', first.id]);
    await assert.rejects(actorOf(first.key), { code: 'ADMIN_KEY_UNKNOWN' });
    const other = await replace('Mutinta');
    await assert.rejects(actorOf(same.added.key), { code: 'ADMIN_KEY_UNKNOWN' });
    assert.equal((await actorOf(other.added.key)).name, 'Mutinta');
    const acts = await readActs(test, { kind: 'ADMINISTRATOR_REPLACED' });
    assert.deepEqual(
      acts.map(({ actor, reason, before, after }) => [actor.name, reason, before, after]),
      [
        ['Chanda', 'Mutinta'],
        ['Chanda', 'Chanda'],
      ].map(([ended, added]) => [
        'tester@test.example',
        'key lost',
        { administrator: ended },
        { administrator: added },
      ]),
    );
    // Where there are two, the machine has no say.
    await add('Bwalya', other.added.key);
    await assert.rejects(replace('Chanda'), { code: 'ADMINISTRATOR_NOT_ALONE' });
    assert.deepEqual(await names(), ['Bwalya', 'Mutinta']);
  });

  describe('who sign in to the console', () => {
    const ACCOUNT = `
      select p.password_hash is not null as password, p.vouched_at is not null as vouched,
             exists (select from totp_factors f where f.person_id = p.id) as app,
             exists (select from recovery_codes c where c.person_id = p.id) as codes
      from people p where p.id = $1`;
    const accountOf = async (id: string) =>
      (await test.directory.query({ name: '', text: ACCOUNT }, [id]))[0];
    const CLOSED = { password: false, vouched: false, app: false, codes: false };
    const OPEN = { password: true, vouched: true, app: true, codes: true };
    const storeAdmin = async (merchantId?: string) => {
      const roles = merchantId === undefined ? [] : [{ merchantId, role: 'owner' as const }];
      const account = await storeAccount(test.database, { staffRoles: ['admin'], roles });
      const text = 'update people set vouched_at = now() where id = $1';
      await test.directory.query({ name: '', text }, [account.id]);
      return account;
    };

    it('have no password and no second factor any more once removed, also when they get a key again', async () => {
      const first = await add('Chanda');
      const { id, name } = await storeAdmin();
      assert.equal((await add(name, first.key)).id, id);
      assert.deepEqual(await accountOf(id), OPEN);
      await remove(name, first.key);
      assert.deepEqual(await accountOf(id), CLOSED);
      assert.equal((await add(name, first.key)).id, id);
      assert.deepEqual(await accountOf(id), CLOSED);
    });

    it('keep their account while a merchant has a role for them', async () => {
      const first = await add('Chanda');
      const merchant = await createTestMerchant(test.database);
      const { id, name } = await storeAdmin(merchant.id);
      await add(name, first.key);
      await remove(name, first.key);
      assert.deepEqual(await accountOf(id), OPEN);
    });

    it('keep their account when the lost key is replaced for themselves, and not for another', async () => {
      const { id, name } = await storeAdmin();
      await add(name);
      assert.equal((await replace(name)).added.id, id);
      assert.deepEqual(await accountOf(id), OPEN);
      await replace('Chanda');
      assert.deepEqual(await accountOf(id), CLOSED);
    });
  });

  it('are not replaced before there is one, nor with fewer rights than the owner has', async () => {
    await assert.rejects(replace('Chanda'), { code: 'ADMINISTRATOR_NOT_ALONE' });
    await add('Chanda');
    const service = openTestPool(test.serviceUrl);
    try {
      await assert.rejects(replace('Mutinta', service), { code: 'OWNER_NEEDED' });
    } finally {
      await service.close();
    }
    assert.deepEqual(await names(), ['Chanda']);
  });

  it('cannot change or remove what they did', async () => {
    await add('Chanda');
    for (const text of [`update acts set kind = 'NOTHING'`, 'delete from acts', 'truncate acts']) {
      await assert.rejects(test.directory.query({ name: '', text }), /append-only/);
    }
  });
});
