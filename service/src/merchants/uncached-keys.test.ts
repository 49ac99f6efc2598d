import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { openKeyWorld } from '../../test/key-world.ts';
import { TEST_ACTOR } from '../../test/test-actor.ts';
import { createApiKey } from './api-key.ts';
import { setFees } from './set-fees.ts';

const world = openKeyWorld();
const { authenticate, tryInvented, wait, deps, issue } = world;

describe('authenticating a key that is not cached', () => {
  it('asks once in half a second about a key that does not exist', async () => {
    const { text } = createApiKey('test', randomBytes);
    assert.equal(await authenticate(text), undefined);
    wait(500);
    for (let index = 0; index < 100; index += 1) assert.equal(authenticate(text), undefined);
    assert.equal(world.counted.asked, 1);
    wait(1);
    assert.equal(await authenticate(text), undefined);
    assert.equal(world.counted.asked, 2);
  });

  it('lets a key in within a second that was asked for before it existed', async () => {
    const { merchant, key } = await issue();
    const moveHash = async (from: string, to: string): Promise<void> => {
      const statement = `update api_keys set hash = decode($2, 'hex') where hash = decode($1, 'hex')`;
      await world.database.query({ name: '', text: statement }, [from, to]);
    };
    const hash = createHash('sha256').update(key.text).digest('hex');
    await moveHash(hash, '00'.repeat(32));
    assert.equal(await authenticate(key.text), undefined);
    await moveHash('00'.repeat(32), hash);
    wait(501);
    assert.equal((await authenticate(key.text))?.book.id, merchant.books.live.id);
  });

  it('asks a bounded number of statements for keys that do not exist, however many they are', async () => {
    const answers = Array.from({ length: 2_000 }, (_, index) =>
      tryInvented(`192.0.2.${index % 10}`),
    );
    assert.deepEqual(new Set(await Promise.all(answers)), new Set([undefined]));
    assert.equal(world.counted.asked, Math.ceil(2_000 / 256));
  });

  it('refuses before the database what one address asks beyond one group', async () => {
    const { key } = await issue();
    const flood = Array.from({ length: 1_000 }, () => tryInvented());
    const elsewhere = authenticate(key.text, '198.51.100.7');
    const results = await Promise.allSettled(flood);
    const refused = results.filter(({ status }) => status === 'rejected');
    assert.equal(refused.length, 1_000 - 256);
    for (const result of refused) {
      assert.ok(result.status === 'rejected' && result.reason.code === 'RATE_LIMITED');
    }
    assert.equal((await elsewhere)?.id, key.id);
    assert.equal(world.counted.asked, 2);
  });

  it('lets a key that exists through, though it is not cached and its address is flooding', async () => {
    const { key } = await issue();
    const flood = Array.from({ length: 200 }, () => tryInvented());
    assert.equal((await authenticate(key.text))?.id, key.id);
    await Promise.all(flood);
    assert.equal(world.counted.asked, 1);
  });

  it('makes no key in use wait for keys that are not cached, also when it has to be read anew', async () => {
    const { merchant, key } = await issue();
    await authenticate(key.text);
    const feeTerms = { fixedMinor: 1n, basisPoints: 1 };
    await setFees(deps(), { actor: TEST_ACTOR, merchant: merchant.id, mode: 'live', feeTerms });
    const pause = world.beginPause();
    const flood = Array.from({ length: 1_000 }, (_, index) => tryInvented(`192.0.2.${index % 10}`));
    wait(801);
    assert.deepEqual((await authenticate(key.text))?.book.feeTerms, feeTerms);
    pause.resolve();
    await Promise.all(flood);
  });
});
