import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openKeyWorld } from '../../test/key-world.ts';
import { TEST_ACTOR } from '../../test/test-actor.ts';
import { revokeKey } from './revoke-key.ts';
import { resumeMerchant, suspendMerchant } from './suspend-merchant.ts';

const world = openKeyWorld();
const { authenticate, wait, deps, issue, restart } = world;

describe('authenticating a cached key', () => {
  it('knows of a suspended merchant in time, and of one that is resumed', async () => {
    const { merchant, key } = await issue();
    assert.equal((await authenticate(key.text))?.book.isSuspended, false);
    const about = { actor: TEST_ACTOR, merchant: merchant.id, reason: 'ticket 4711' };
    await suspendMerchant(deps(), about);
    wait(801);
    assert.equal((await authenticate(key.text))?.book.isSuspended, true);
    await resumeMerchant(deps(), about);
    wait(801);
    assert.equal((await authenticate(key.text))?.book.isSuspended, false);
  });

  it('answers at once and does not ask the database for 400 ms', async () => {
    const { key } = await issue();
    const first = await authenticate(key.text);
    wait(400);
    assert.equal(authenticate(key.text), first);
    assert.equal(world.counted.asked, 1);
    assert.equal(world.counted.looked, 0);
  });

  it('answers at once between 400 and 800 ms while one look is under way', async () => {
    const { key } = await issue();
    const first = await authenticate(key.text);
    wait(401);
    for (let index = 0; index < 10; index += 1) assert.equal(authenticate(key.text), first);
    assert.equal(world.counted.looked, 1);
    await world.counted.settled();
    wait(399);
    assert.equal(authenticate(key.text), first);
    assert.equal(world.counted.looked, 1);
    assert.equal(world.counted.asked, 1);
  });

  it('waits for one common look after 800 ms', async () => {
    const { key } = await issue();
    await authenticate(key.text);
    wait(801);
    const answers = Array.from({ length: 10 }, () => authenticate(key.text));
    for (const answer of answers) assert.ok(answer instanceof Promise);
    for (const answer of answers) assert.equal((await answer)?.id, key.id);
    assert.equal(world.counted.looked, 1);
    assert.equal(world.counted.asked, 1);
  });

  it('looks once for all keys in use, however many, and reads none that did not change', async () => {
    const issued = await Promise.all(Array.from({ length: 20 }, () => issue()));
    for (const { key } of issued) await authenticate(key.text);
    for (let round = 0; round < 10; round += 1) {
      wait(500);
      for (const { key } of issued) assert.notEqual(authenticate(key.text), undefined);
      await world.counted.settled();
    }
    assert.equal(world.counted.asked, 20);
    assert.equal(world.counted.looked, 10);
  });

  it('lets every other key in at once when one was revoked, and reads each of them anew once', async () => {
    const issued = await Promise.all(Array.from({ length: 5 }, () => issue()));
    const [revoked, ...others] = issued;
    assert.ok(revoked !== undefined);
    for (const { key } of issued) await authenticate(key.text);
    await world.counted.settled();
    await revokeKey(deps(), { actor: TEST_ACTOR, id: revoked.key.id });
    wait(450);
    // The first to come starts the look that finds the change.
    for (const { key } of issued) assert.notEqual(authenticate(key.text), undefined);
    await world.counted.settled();
    for (const { key } of others) assert.ok(!(authenticate(key.text) instanceof Promise));
    await world.counted.settled();
    wait(300);
    for (const { key } of others) assert.notEqual(authenticate(key.text), undefined);
    assert.equal(world.counted.keysAsked, issued.length + others.length + 1);
    assert.equal(await authenticate(revoked.key.text), undefined);
  });

  it('refuses a revoked key within a second, also while looks are under way', async () => {
    const { key } = await issue();
    for (let round = 0; round < 5; round += 1) {
      await authenticate(key.text);
      wait(390);
    }
    await revokeKey(deps(), { actor: TEST_ACTOR, id: key.id });
    const revokedAtMs = world.monotonicMs;
    let refusedAtMs: number | undefined;
    while (refusedAtMs === undefined && world.monotonicMs < revokedAtMs + 5_000) {
      if ((await authenticate(key.text)) === undefined) refusedAtMs = world.monotonicMs;
      await world.counted.settled();
      wait(50);
    }
    assert.ok(refusedAtMs !== undefined && refusedAtMs - revokedAtMs <= 1_000, `${refusedAtMs}`);
    assert.equal(await authenticate(key.text), undefined);
  });

  it('does not believe a question that was asked long before the request', async () => {
    const { key } = await issue();
    await authenticate(key.text);
    wait(801);
    let open: () => void = () => undefined;
    world.counted.opened = new Promise((resolve) => {
      open = resolve;
    });
    const early = authenticate(key.text);
    wait(401);
    const late = authenticate(key.text);
    assert.equal(world.counted.looked, 2);
    open();
    assert.equal((await early)?.id, key.id);
    assert.equal((await late)?.id, key.id);
  });

  it('takes notice of every change that could end or alter what a key opens', async () => {
    const { merchant, key } = await issue();
    const inBook = [merchant.books.live.id];
    for (const [text, values] of [
      [`update api_keys set scopes = '{transfers:write}' where book_id = $1`, inBook],
      [`update api_keys set addresses = '{}' where book_id = $1`, inBook],
      [`update api_keys set expires_at = now() + interval '1 day' where book_id = $1`, inBook],
      [`update books set fee_fixed_minor = 1 where id = $1`, inBook],
      [`update books set fee_basis_points = 1 where id = $1`, inBook],
      ['delete from api_keys where id = $1', [key.id]],
    ] as const) {
      await authenticate(key.text);
      const asked = world.counted.asked;
      await world.database.query({ name: '', text }, values);
      wait(801);
      await authenticate(key.text);
      assert.equal(world.counted.asked, asked + 1, text);
    }
    assert.equal(await authenticate(key.text), undefined);
  });

  it('lets changes of different keys run without waiting for each other', async () => {
    const issued = await Promise.all([issue(), issue()]);
    const text = 'update api_keys set revoked_at = now() where id = $1';
    let asked = 0;
    const { promise: bothRevoked, resolve } = Promise.withResolvers<void>();
    const revokeAndWait = (id: string) =>
      world.database.transaction(async (tx) => {
        // Also when it cannot be done, so that the other does not wait for ever.
        await tx.query({ name: '', text }, [id]).finally(() => {
          asked += 1;
          if (asked === issued.length) resolve();
        });
        await bothRevoked;
      });
    await Promise.all(issued.map(({ key }) => revokeAndWait(key.id)));
    for (const { key } of issued) assert.equal(await authenticate(key.text), undefined);
  });

  it('knows a bounded number of keys and forgets the longest unused', async () => {
    restart({ keysCachedMax: 3 });
    const [first, ...others] = await Promise.all(Array.from({ length: 4 }, () => issue()));
    assert.ok(first !== undefined);
    await authenticate(first.key.text);
    for (const { key } of others) await authenticate(key.text);
    assert.equal(world.counted.asked, 4);
    for (const { key } of others) assert.ok(!(authenticate(key.text) instanceof Promise));
    assert.equal(world.counted.asked, 4);
    assert.equal((await authenticate(first.key.text))?.id, first.key.id);
    assert.equal(world.counted.asked, 5);
  });
});
