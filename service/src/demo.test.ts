import assert from 'node:assert/strict';
import { randomBytes, randomFillSync } from 'node:crypto';
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { TEST_ACTOR } from '../test/test-actor.ts';
import { createTestDatabase, type TestDatabase } from '../test/test-database.ts';
import { type DemoFile, readOrWriteDemoFile } from './demo.ts';
import { createUuidV7Source } from './domain/uuid.ts';
import { createKeyAuthenticator } from './merchants/authenticate-key.ts';
import { SCOPES } from './merchants/authenticated-key.ts';
import { createMerchant } from './merchants/create-merchant.ts';
import { createDemoMerchant } from './merchants/demo-merchant.ts';
import { findMerchant } from './merchants/find-merchant.ts';
import { listKeys } from './merchants/list-keys.ts';
import { listWalletsForStaff } from './merchants/list-wallets-for-staff.ts';
import { revokeKey } from './merchants/revoke-key.ts';
import { ARGON2_PARAMETERS, createPasswordHasher } from './people/hash-password.ts';
import { listTeam } from './people/list-team.ts';
import { STAFF } from './people/team.ts';
import { createSealer } from './webhooks/seal-secret.ts';

const BASE_URL = 'http://127.0.0.1:3000';

describe('the demo', () => {
  let test: TestDatabase;
  let dataDir: string;
  const now = (): Date => new Date();
  const newId = createUuidV7Source(Date.now, (bytes) => randomFillSync(bytes));
  const sealer = createSealer([{ id: 'test', key: Buffer.alloc(32, 1) }]);
  const passwords = createPasswordHasher(
    { randomBytes },
    { ...ARGON2_PARAMETERS, memoryKib: 64, passes: 1 },
  );
  const deps = () => ({
    database: test.database,
    directory: test.directory,
    cells: test.cells,
    now,
    newId,
    randomBytes,
    sealer,
    passwords,
  });
  const path = (): string => join(dataDir, 'demo.json');
  const written = async (): Promise<unknown> => JSON.parse(await readFile(path(), 'utf8'));

  async function start(baseUrl = BASE_URL): Promise<DemoFile> {
    const demo = await readOrWriteDemoFile(deps(), { dataDir, baseUrl });
    assert.ok(demo !== undefined);
    assert.deepEqual(await written(), demo);
    assert.equal((await stat(path())).mode & 0o777, 0o600);
    assert.deepEqual(await readdir(dataDir), ['demo.json']);
    return demo;
  }

  async function authenticate(keyText: string) {
    const fresh = createKeyAuthenticator({
      cell: 'main',
      database: test.database,
      directory: test.directory,
      now,
      monotonicMs: () => 0,
      onError: () => undefined,
    });
    return fresh.authenticate(keyText, '192.0.2.1');
  }

  beforeEach(async () => {
    test = await createTestDatabase();
    dataDir = await mkdtemp(join(tmpdir(), 'kafue-demo-'));
  });
  afterEach(async () => {
    await test.drop();
    await rm(dataDir, { recursive: true });
  });

  it('gives a new database a merchant with keys, wallets and test money', async () => {
    const demo = await start();
    assert.equal(demo.baseUrl, BASE_URL);
    const { wallets } = await listWalletsForStaff(test.database, { merchantId: null });
    assert.deepEqual(
      wallets.map(({ id, mode, currency, availableMinor }) => [id, mode, currency, availableMinor]),
      [
        [demo.wallets.live.NGN, 'live', 'NGN', 0n],
        [demo.wallets.live.ZMW, 'live', 'ZMW', 0n],
        [demo.wallets.test.NGN, 'test', 'NGN', 100_000_000n],
        [demo.wallets.test.ZMW, 'test', 'ZMW', 100_000_000n],
      ],
    );
    const merchant = await findMerchant(test.database, 'Demo');
    for (const mode of ['test', 'live'] as const) {
      const key = await authenticate(demo[`${mode}Key`]);
      assert.equal(key?.book.id, merchant.books[mode].id);
      assert.equal(key?.book.mode, mode);
      assert.deepEqual(key?.scopes, SCOPES);
    }
  });

  it('keeps everything on later starts, and updates a changed address', async () => {
    const first = await start();
    const { ino } = await stat(path());
    assert.deepEqual(await start(), first);
    assert.equal((await stat(path())).ino, ino);
    const moved = await start('http://127.0.0.1:4000');
    assert.deepEqual(moved, { ...first, baseUrl: 'http://127.0.0.1:4000' });
    const { wallets } = await listWalletsForStaff(test.database, { merchantId: null });
    assert.equal(wallets.length, 4);
  });

  it('has one person for each role, whose passwords stay', async () => {
    const demo = await start();
    const merchant = await findMerchant(test.database, 'Demo');
    const teams = [{ merchantId: merchant.id }, STAFF];
    const lists = await Promise.all(teams.map((team) => listTeam(deps(), team)));
    const made = lists.flatMap(({ people }) => people);
    assert.deepEqual(
      new Map(made.map(({ email, roles }) => [email, roles.map(({ role }) => role)])),
      new Map(demo.people.map(({ email, roles }) => [email, roles])),
    );
    assert.deepEqual(
      demo.people.map(({ email, merchant: of }) => [email, of]),
      [
        ...['owner', 'maker', 'approver', 'viewer'].map((role) => [`${role}@demo.test`, 'Demo']),
        ...['admin', 'treasurer', 'support', 'auditor'].map((role) => [`${role}@kafue.test`, null]),
      ],
    );
    assert.ok(made.every(({ secondFactor }) => secondFactor === 'totp'));
    assert.equal(new Set(demo.people.map(({ password }) => password)).size, 8);
    assert.match(demo.people[0]?.password ?? '', /^(?:[a-z2-9]{5}-){3}[a-z2-9]{5}$/);
    assert.deepEqual((await start()).people, demo.people);
  });

  it('gets people when its file is from before there were any, or is lost', async () => {
    const first = await start();
    const { people, ...rest } = first;
    for (const text of [JSON.stringify(rest), JSON.stringify({ ...rest, people: [] }), '']) {
      await writeFile(path(), text);
      const again = await start();
      assert.equal(again.people.length, people.length);
      assert.notEqual(again.people[0]?.password, people[0]?.password);
      const [row] = await test.database.query<{ hash: string }>({
        name: '',
        text: `select password_hash as hash from people where email = 'owner@demo.test'`,
      });
      assert.ok(await passwords.verify(again.people[0]?.password ?? '', row?.hash));
    }
    const text = 'select count(*)::integer as n from people';
    assert.deepEqual(await test.database.query({ name: '', text }), [{ n: 8 }]);
  });

  it('is complete after a start that was killed before it wrote the file', async () => {
    const lost = await createDemoMerchant(deps());
    assert.ok(lost !== undefined);
    const demo = await start();
    assert.deepEqual(demo.wallets, lost.wallets);
    assert.notEqual(await authenticate(demo.testKey), undefined);
    assert.equal(await authenticate(lost.testKey), undefined);
    assert.equal(await authenticate(lost.liveKey), undefined);
  });

  it('gets new keys when its file is broken, and revokes the old ones', async () => {
    const first = await start();
    const { testKey, ...rest } = first;
    for (const text of ['', '{', 'null', '[]', JSON.stringify(rest), '{"testKey": 1}']) {
      await writeFile(path(), text);
      const again = await start();
      assert.deepEqual(again.wallets, first.wallets);
      assert.notEqual(again.testKey, testKey);
      assert.equal((await authenticate(again.liveKey))?.book.mode, 'live');
    }
    const merchant = await findMerchant(test.database, 'Demo');
    const { keys } = await listKeys(test.directory, merchant.id);
    assert.equal(keys.filter(({ revokedAt }) => revokedAt === null).length, 2);
  });

  it('does not trust a file from another database', async () => {
    const first = await start();
    await test.drop();
    test = await createTestDatabase();
    const second = await start();
    assert.notEqual(second.testKey, first.testKey);
    assert.notEqual(await authenticate(second.testKey), undefined);
  });

  it('keeps a revoked key revoked', async () => {
    const first = await start();
    const key = await authenticate(first.liveKey);
    await revokeKey(deps(), { actor: TEST_ACTOR, id: key?.id ?? '' });
    assert.deepEqual(await start(), first);
    assert.equal(await authenticate(first.liveKey), undefined);
  });

  it('makes a file that others could read private to its owner', async () => {
    const first = await start();
    await chmod(path(), 0o644);
    assert.deepEqual(await start(), first);
  });

  it('is created at the first start of a service, even when merchants were created before it', async () => {
    const feeTerms = { fixedMinor: 0n, basisPoints: 0 };
    await createMerchant(deps(), { actor: TEST_ACTOR, name: 'Zambezi Tours', feeTerms });
    const demo = await start();
    assert.notEqual(await authenticate(demo.testKey), undefined);
  });

  it('does not change a merchant called Demo that a user created', async () => {
    const feeTerms = { fixedMinor: 0n, basisPoints: 0 };
    await createMerchant(deps(), { actor: TEST_ACTOR, name: 'Demo', feeTerms });
    assert.equal(await readOrWriteDemoFile(deps(), { dataDir, baseUrl: BASE_URL }), undefined);
    assert.deepEqual(await readdir(dataDir), []);
  });

  it('is created once when two services start at once', async () => {
    const made = await Promise.all([createDemoMerchant(deps()), createDemoMerchant(deps())]);
    assert.equal(made.filter((access) => access !== undefined).length, 1);
  });
});
