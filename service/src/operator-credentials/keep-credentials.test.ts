import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import { createCredentialCache } from '../operators/credentials/credential-cache.ts';
import type { KeptCredential } from '../operators/credentials/credential-store.ts';
import { type Database, openDatabase, type Queryable } from '../postgres/database.ts';
import { createSealer, type Sealer } from '../webhooks/seal-secret.ts';
import { createCredentialKeepers } from './keep-credentials.ts';

const OWNER = { route: 'mtn-zm', account: 'a1b2c3' };
const SECRET = 'the-token-that-no-log-shows';

let test: TestDatabase;
let service: Database;
let sealer: Sealer;
let logged: string[];
before(async () => {
  test = await createTestDatabase();
  service = openDatabase({
    connectionString: test.serviceUrl,
    applicationName: 'kafue-test',
    connectionsMax: 3,
    onError: () => undefined,
  });
});
after(async () => {
  await service.close();
  await test.drop();
});
beforeEach(async () => {
  sealer = createSealer([{ id: 'k1', key: randomBytes(32) }]);
  logged = [];
  await test.directory.query({ name: '', text: 'delete from operator_credentials' });
});

type Changes = Readonly<{
  directory?: Queryable;
  sealer?: Sealer;
  wait?: (ms: number) => Promise<void>;
}>;

/** A keeper as one process has it, which waits for its directory however long it takes. */
function startProcess(changes: Changes = {}) {
  return createCredentialKeepers({
    directory: service,
    sealer,
    wait: () => new Promise(() => undefined),
    logger: { warn: (fields, message) => logged.push(`${message} ${JSON.stringify(fields)}`) },
    ...changes,
  });
}

function credential(changes: Partial<KeptCredential> = {}): KeptCredential {
  return {
    id: randomUUID(),
    value: SECRET,
    obtainedWith: 'digest',
    readyInMs: -1_000,
    refreshInMs: 50_000,
    expiresInMs: 60_000,
    ...changes,
  };
}

const values = (kept: readonly KeptCredential[]) => kept.map(({ value }) => value);

describe('kept credentials', () => {
  it('survive a restart, with their remaining times', async () => {
    const kept = credential();
    await startProcess()(OWNER).keep(kept);
    const [loaded] = await startProcess()(OWNER).load();
    assert.deepEqual(
      { id: loaded?.id, value: loaded?.value, obtainedWith: loaded?.obtainedWith },
      { id: kept.id, value: SECRET, obtainedWith: 'digest' },
    );
    for (const name of ['readyInMs', 'refreshInMs', 'expiresInMs'] as const) {
      const passedMs = kept[name] - (loaded?.[name] ?? Number.NaN);
      assert.ok(passedMs >= 0 && passedMs < 5_000, `${name} is less by ${passedMs}`);
    }
  });

  it('cannot be read in the directory', async () => {
    await startProcess()(OWNER).keep(credential());
    const rows = await test.directory.query<{ text: string; sealed: Buffer }>({
      name: '',
      text: 'select c::text as text, sealed from operator_credentials c',
    });
    assert.equal(rows.length, 1);
    assert.ok(!rows.some(({ text }) => text.includes(SECRET)));
    assert.ok(!rows.some(({ sealed }) => sealed.includes(SECRET)));
  });

  it('belong to one route and one account', async () => {
    await startProcess()(OWNER).keep(credential());
    assert.deepEqual(await startProcess()({ ...OWNER, account: 'other' }).load(), []);
    assert.deepEqual(await startProcess()({ ...OWNER, route: 'mtn-ng' }).load(), []);
    assert.deepEqual(values(await startProcess()(OWNER).load()), [SECRET]);
    assert.deepEqual(logged, []);
  });

  it('do not open in a row that they were not sealed for', async () => {
    await startProcess()(OWNER).keep(credential());
    await test.directory.query({
      name: '',
      text: "update operator_credentials set route = 'mtn-ng'",
    });
    assert.deepEqual(await startProcess()({ ...OWNER, route: 'mtn-ng' }).load(), []);
    assert.equal(logged.length, 1);
  });

  it('are not returned after they expired, and the one that expires last comes first', async () => {
    const keeper = startProcess()(OWNER);
    await keeper.keep(credential({ value: 'ended', expiresInMs: -1 }));
    await keeper.keep(credential({ value: 'longer', expiresInMs: 90_000 }));
    await keeper.keep(credential({ value: 'shorter', expiresInMs: 60_000 }));
    assert.deepEqual(values(await keeper.load()), ['longer', 'shorter']);
  });

  it('are few, however many are fetched, and none is of a former account', async () => {
    await startProcess()({ ...OWNER, account: 'left' }).keep(credential());
    const keeper = startProcess()(OWNER);
    for (let count = 0; count < 10; count += 1) await keeper.keep(credential());
    const rows = await test.directory.query<{ account: string }>({
      name: '',
      text: 'select account from operator_credentials',
    });
    assert.deepEqual(new Set(rows.map(({ account }) => account)), new Set([OWNER.account]));
    assert.equal(rows.length, 4);
  });

  it('that were sealed with a key that is gone are skipped, and this is logged once', async () => {
    await startProcess()(OWNER).keep(credential());
    const other = createSealer([{ id: 'k2', key: randomBytes(32) }]);
    const keepers = startProcess({ sealer: other });
    for (let count = 0; count < 3; count += 1) assert.deepEqual(await keepers(OWNER).load(), []);
    assert.equal(logged.length, 1);
    assert.match(logged[0] ?? '', /cannot be opened/);
    await keepers(OWNER).keep(credential({ value: 'anew' }));
    assert.deepEqual(values(await keepers(OWNER).load()), ['anew']);
  });

  it('lose the refused one, and never its successor', async () => {
    const keeper = startProcess()(OWNER);
    const refused = credential({ value: 'refused' });
    await keeper.keep(refused);
    await keeper.keep(credential({ value: 'successor' }));
    await keeper.remove(refused.id);
    await keeper.remove(refused.id);
    assert.deepEqual(values(await keeper.load()), ['successor']);
  });
});

describe('without a directory', () => {
  const down: Queryable = { query: () => Promise.reject(new Error('the directory is down')) };
  const silent: Queryable = { query: () => new Promise(() => undefined) };

  for (const [what, directory] of [
    ['that answers', down],
    ['that answers in time', silent],
  ] as const) {
    it(`${what}, a token is fetched once and used from memory`, async () => {
      let fetches = 0;
      const cache = createCredentialCache({
        async fetch() {
          fetches += 1;
          return { kind: 'fetched', value: SECRET, freshForMs: 60_000, usableForMs: 60_000 };
        },
        keeper: startProcess({ directory, wait: () => pause(10) })(OWNER),
        obtainedWith: [],
        activationMs: 0,
        activationGraceMs: 0,
        overlap: true,
        monotonicMs: () => performance.now(),
        newUuid: randomUUID,
      });
      for (let count = 0; count < 3; count += 1) {
        assert.deepEqual(await cache.take(), { kind: 'ready', value: SECRET });
      }
      cache.refused(SECRET);
      await cache.take();
      assert.equal(fetches, 2);
      assert.ok(logged.length > 0);
      assert.ok(!logged.some((line) => line.includes(SECRET)));
    });
  }
});
