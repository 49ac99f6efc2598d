import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openKeyWorld, START } from '../../test/key-world.ts';
import { TEST_ACTOR } from '../../test/test-actor.ts';
import { setFees } from './set-fees.ts';

const world = openKeyWorld();
const { authenticate, wait, deps, issue } = world;

describe('authenticating a key', () => {
  it('opens exactly the book of the key, with its scopes, addresses and fee terms', async () => {
    const { merchant, key } = await issue();
    assert.deepEqual(await authenticate(key.text), {
      id: key.id,
      actor: { kind: 'key', id: key.id },
      book: {
        id: merchant.books.live.id,
        merchantId: merchant.id,
        mode: 'live',
        feeTerms: { fixedMinor: 25n, basisPoints: 150 },
        isSuspended: false,
        controlsVersion: null,
        cell: 'main',
      },
      scopes: ['read'],
      addresses: ['10.0.0.0/8', '41.72.96.7/32', '2001:db8::/32'],
    });
  });

  it('refuses garbage without asking the database', async () => {
    const { key } = await issue();
    const garbage = ['', 'x', key.text.slice(1), `${key.text} `, `${key.text.slice(0, -1)}!`];
    for (const text of garbage) assert.equal(authenticate(text), undefined);
    assert.equal(world.counted.asked, 0);
  });

  it('refuses a key from the moment it expires, also a cached one', async () => {
    const { key } = await issue({ expiresAt: new Date(START.getTime() + 300) });
    assert.equal((await authenticate(key.text))?.id, key.id);
    wait(299);
    assert.notEqual(authenticate(key.text), undefined);
    wait(1);
    assert.equal(authenticate(key.text), undefined);
    assert.equal(world.counted.asked, 1);
  });

  it('brings changed fee terms along within a second', async () => {
    const { merchant, key } = await issue();
    await authenticate(key.text);
    const feeTerms = { fixedMinor: 0n, basisPoints: 10 };
    await setFees(deps(), { actor: TEST_ACTOR, merchant: merchant.id, mode: 'live', feeTerms });
    wait(801);
    assert.deepEqual((await authenticate(key.text))?.book.feeTerms, feeTerms);
  });

  it('passes the error on when the database cannot be reached, and recovers', async () => {
    const { key } = await issue();
    await authenticate(key.text);
    await world.counted.settled();
    world.counted.failWith = new Error('no database');
    wait(500);
    assert.notEqual(authenticate(key.text), undefined);
    await world.counted.settled();
    assert.equal(world.errors.length, 1);
    wait(301);
    await assert.rejects(async () => authenticate(key.text), /no database/);
    world.counted.failWith = undefined;
    assert.equal((await authenticate(key.text))?.id, key.id);
  });

  it('notes the last use once a minute', async () => {
    const { key } = await issue();
    const lastUsed = async (): Promise<unknown> => {
      const text = 'select last_used_at from api_keys where id = $1';
      const [row] = await world.database.query({ name: '', text }, [key.id]);
      return row?.last_used_at;
    };
    for (let round = 0; round < 100; round += 1) {
      await authenticate(key.text);
      wait(590);
    }
    await world.counted.settled();
    assert.equal(world.counted.noted, 1);
    assert.deepEqual(await lastUsed(), START);
    wait(1_000);
    const notedAt = new Date(world.nowMs);
    await authenticate(key.text);
    await world.counted.settled();
    assert.equal(world.counted.noted, 2);
    assert.deepEqual(await lastUsed(), notedAt);
  });

  it('fails no request when the last use cannot be noted', async () => {
    const { key } = await issue();
    world.counted.failNotesWith = new Error('no database');
    assert.equal((await authenticate(key.text))?.id, key.id);
    await world.counted.settled();
    assert.deepEqual(world.errors, [world.counted.failNotesWith]);
  });
});
