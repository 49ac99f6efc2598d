import assert from 'node:assert/strict';
import { randomBytes, randomFillSync } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { TEST_ACTOR } from '../../test/test-actor.ts';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import { AdminRefused } from '../domain/admin-refused.ts';
import { createUuidV7Source } from '../domain/uuid.ts';
import { createKeyAuthenticator } from './authenticate-key.ts';
import { createMerchant } from './create-merchant.ts';
import { standingOf } from './find-key.ts';
import { issueKey, type KeyRequest, LIVE_KEYS_MAX } from './issue-key.ts';
import { listKeys } from './list-keys.ts';
import { readAddresses, readScopes } from './read-key-rules.ts';
import { revokeKey } from './revoke-key.ts';
import { rotateKey } from './rotate-key.ts';

const HOUR_MS = 3_600_000;
const START = new Date('2026-03-01T12:00:00Z');

describe('keys', () => {
  let test: TestDatabase;
  let nowMs = START.getTime();
  const newId = createUuidV7Source(Date.now, (bytes) => randomFillSync(bytes));
  const now = (): Date => new Date(nowMs);
  const deps = () => ({
    database: test.database,
    directory: test.directory,
    cells: test.cells,
    now,
    newId,
    randomBytes,
  });

  async function createBook(): Promise<{ merchantId: string; request: KeyRequest }> {
    const feeTerms = { fixedMinor: 0n, basisPoints: 0 };
    const merchant = await createMerchant(deps(), {
      actor: TEST_ACTOR,
      name: `M ${newId()}`,
      feeTerms,
    });
    const request: KeyRequest = {
      bookId: merchant.books.test.id,
      mode: 'test',
      name: 'till',
      scopes: ['transfers:write'],
      addresses: ['10.0.0.0/8'],
      expiresAt: null,
    };
    return { merchantId: merchant.id, request };
  }

  /** A new authenticator each time: one without a cache. */
  async function opens(keyText: string): Promise<boolean> {
    const fresh = createKeyAuthenticator({
      cell: 'main',
      database: test.database,
      directory: test.directory,
      now,
      monotonicMs: () => 0,
      onError: () => undefined,
    });
    return (await fresh.authenticate(keyText, '192.0.2.1')) !== undefined;
  }

  before(async () => {
    test = await createTestDatabase();
  });
  after(() => test.drop());

  it('are not in the database, only their hashes', async () => {
    const { request } = await createBook();
    const { text, hint } = await issueKey(deps(), { actor: TEST_ACTOR, ...request });
    const secret = text.slice(12, -4);
    const all = 'select k::text as row from api_keys k';
    const rows = await test.database.query<{ row: string }>({ name: '', text: all });
    assert.ok(rows.some(({ row }) => row.includes(hint)));
    assert.ok(rows.every(({ row }) => !row.includes(secret)));
  });

  it('are listed newest first, of one merchant alone', async () => {
    const { merchantId, request } = await createBook();
    const older = await issueKey(deps(), { actor: TEST_ACTOR, ...request });
    nowMs += 1_000;
    const newer = await issueKey(deps(), {
      actor: TEST_ACTOR,
      ...request,
      name: 'newer',
      addresses: [],
    });
    const { keys } = await listKeys(test.directory, merchantId);
    assert.deepEqual(
      keys.map(({ id }) => id),
      [newer.id, older.id],
    );
    assert.deepEqual(keys[1]?.addresses, ['10.0.0.0/8']);
    assert.deepEqual(keys[1]?.scopes, ['transfers:write']);
    assert.equal(keys[1]?.hint, older.hint);
  });

  it('open nothing once revoked, and revoking again says since when', async () => {
    const { request } = await createBook();
    const { id, text } = await issueKey(deps(), { actor: TEST_ACTOR, ...request });
    assert.equal(await opens(text), true);
    const first = await revokeKey(deps(), { actor: TEST_ACTOR, id });
    nowMs += 1_000;
    const second = await revokeKey(deps(), { actor: TEST_ACTOR, id });
    assert.equal(await opens(text), false);
    assert.equal(first.already, false);
    assert.equal(second.already, true);
    assert.deepEqual(second.revokedAt, first.revokedAt);
  });

  it('are not found by anything but their id', async () => {
    const { request } = await createBook();
    const { text } = await issueKey(deps(), { actor: TEST_ACTOR, ...request });
    for (const id of [newId(), text, '']) {
      await assert.rejects(revokeKey(deps(), { actor: TEST_ACTOR, id }), AdminRefused);
      await assert.rejects(
        rotateKey(deps(), { actor: TEST_ACTOR, id, overlapMs: 0, lifeMs: null }),
        AdminRefused,
      );
    }
  });

  it('live on for the overlap after rotation, beside one that may do the same', async () => {
    const { request } = await createBook();
    const old = await issueKey(deps(), { actor: TEST_ACTOR, ...request });
    const { issued } = await rotateKey(deps(), {
      actor: TEST_ACTOR,
      id: old.id,
      overlapMs: 24 * HOUR_MS,
      lifeMs: null,
    });
    const { name, scopes, addresses, expiresAt } = issued;
    assert.deepEqual(
      { name, scopes, addresses, expiresAt },
      {
        name: request.name,
        scopes: request.scopes,
        addresses: request.addresses,
        expiresAt: null,
      },
    );
    assert.equal(await opens(old.text), true);
    assert.equal(await opens(issued.text), true);
    nowMs += 24 * HOUR_MS;
    assert.equal(await opens(old.text), false);
    assert.equal(await opens(issued.text), true);
  });

  it('end at once when rotated without an overlap', async () => {
    const { request } = await createBook();
    const old = await issueKey(deps(), { actor: TEST_ACTOR, ...request });
    const { issued, old: ended } = await rotateKey(deps(), {
      actor: TEST_ACTOR,
      id: old.id,
      overlapMs: 0,
      lifeMs: null,
    });
    assert.equal(await opens(old.text), false);
    assert.equal(await opens(issued.text), true);
    assert.equal(standingOf(ended, now()), 'revoked');
    await assert.rejects(
      rotateKey(deps(), { actor: TEST_ACTOR, id: old.id, overlapMs: 0, lifeMs: null }),
      { code: 'KEY_ENDED' },
    );
  });

  it('that were to expire are followed by ones with as long a life, and never live longer', async () => {
    const { request } = await createBook();
    const expiresAt = new Date(nowMs + 10 * HOUR_MS);
    const old = await issueKey(deps(), { actor: TEST_ACTOR, ...request, expiresAt });
    nowMs += 9 * HOUR_MS;
    const rotated = await rotateKey(deps(), {
      actor: TEST_ACTOR,
      id: old.id,
      overlapMs: 24 * HOUR_MS,
      lifeMs: null,
    });
    assert.deepEqual(rotated.old.expiresAt, expiresAt);
    assert.deepEqual(rotated.issued.expiresAt, new Date(nowMs + 10 * HOUR_MS));
    const shorter = { id: old.id, overlapMs: HOUR_MS, lifeMs: 2 * HOUR_MS };
    const asked = await rotateKey(deps(), { actor: TEST_ACTOR, ...shorter });
    assert.deepEqual(asked.issued.expiresAt, new Date(nowMs + 2 * HOUR_MS));
    nowMs += HOUR_MS;
    await assert.rejects(
      rotateKey(deps(), { actor: TEST_ACTOR, id: old.id, overlapMs: 0, lifeMs: null }),
      { code: 'KEY_ENDED' },
    );
  });

  it('are at most 20 live ones in a book, also when asked for at once', async () => {
    const { merchantId, request } = await createBook();
    const results = await Promise.allSettled(
      Array.from({ length: LIVE_KEYS_MAX + 5 }, () =>
        issueKey(deps(), { actor: TEST_ACTOR, ...request }),
      ),
    );
    const refused = results.filter(({ status }) => status === 'rejected');
    assert.equal(refused.length, 5);
    const { keys } = await listKeys(test.directory, merchantId);
    assert.equal(keys.length, LIVE_KEYS_MAX);
    await assert.rejects(
      rotateKey(deps(), { actor: TEST_ACTOR, id: keys[0]?.id ?? '', overlapMs: 1, lifeMs: null }),
      AdminRefused,
    );
    assert.equal((await listKeys(test.directory, merchantId)).keys[0]?.expiresAt, null);
    await rotateKey(deps(), {
      actor: TEST_ACTOR,
      id: keys[0]?.id ?? '',
      overlapMs: 0,
      lifeMs: null,
    });
    await revokeKey(deps(), { actor: TEST_ACTOR, id: keys[1]?.id ?? '' });
    await issueKey(deps(), { actor: TEST_ACTOR, ...request });
  });

  it('refuse addresses that are no range, and say so', async () => {
    const { request } = await createBook();
    for (const text of ['x', '10.0.0.0/33', '10.0.0', '10.0.0.0/8/8', '10.0.0.0/', '::/129', '']) {
      assert.throws(() => readAddresses([text]), AdminRefused);
    }
    const addresses = readAddresses(['10.0.0.1/8']);
    await assert.rejects(
      issueKey(deps(), { actor: TEST_ACTOR, ...request, addresses }),
      AdminRefused,
    );
    assert.throws(() => readAddresses(Array.from({ length: 51 }, () => '10.0.0.1')), AdminRefused);
  });

  it('have all scopes when none is named, and no unknown one', () => {
    assert.deepEqual(readScopes([]), ['transfers:write', 'recipients:write', 'read']);
    assert.deepEqual(readScopes(['read', 'transfers:write', 'read']), ['transfers:write', 'read']);
    assert.throws(() => readScopes(['read', 'write']), { code: 'SCOPE_UNKNOWN' });
  });
});
