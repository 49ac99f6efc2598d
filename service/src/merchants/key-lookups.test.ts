import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { createKeyLookups } from './key-lookups.ts';
import type { LiveKey } from './read-live-keys.ts';

type Answer = ReturnType<typeof Promise.withResolvers<ReadonlyMap<string, LiveKey>>>;

/** Look-ups whose statements are answered, and whose pauses end, when the test says so. */
function createScene() {
  const scene = {
    nowMs: 0,
    statements: [] as { hashes: readonly string[]; answer: Answer }[],
    pauses: [] as (() => void)[],
  };
  const lookups = createKeyLookups(
    {
      read(hashes) {
        const answer: Answer = Promise.withResolvers();
        scene.statements.push({ hashes, answer });
        return answer.promise;
      },
      monotonicMs: () => scene.nowMs,
      wait: () => new Promise((resolve) => scene.pauses.push(resolve)),
    },
    { freshMs: 400, pauseMs: 50, waitingMax: 1_000, waitingPerOwnerMax: 300 },
  );
  const answerAll = async (): Promise<void> => {
    for (const { answer } of scene.statements) answer.resolve(new Map());
    await setImmediate();
  };
  const endPause = async (): Promise<void> => {
    scene.pauses.shift()?.();
    await setImmediate();
  };
  return { scene, lookups, answerAll, endPause };
}

const hashesOf = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}`);

describe('looking keys up', () => {
  it('asks for all that arrive together in one statement, and for the next after a pause', async () => {
    const { scene, lookups, answerAll, endPause } = createScene();
    const early = [lookups.find('a', 'x'), lookups.find('b', 'y')];
    await setImmediate();
    assert.deepEqual(
      scene.statements.map(({ hashes }) => hashes),
      [['a', 'b']],
    );
    await answerAll();
    for (const lookup of early) assert.equal((await lookup).found, undefined);
    const late = lookups.find('c', 'x');
    await setImmediate();
    assert.equal(scene.statements.length, 1);
    await endPause();
    assert.equal(scene.statements.length, 2);
    await answerAll();
    await late;
  });

  it('gives every owner a share of each statement', async () => {
    const { scene, lookups, answerAll, endPause } = createScene();
    const all = hashesOf('flood', 300).map((hash) => lookups.find(hash, 'attacker'));
    all.push(lookups.find('merchant', 'other'));
    await setImmediate();
    assert.equal(scene.statements[0]?.hashes.length, 256);
    assert.ok(scene.statements[0]?.hashes.includes('merchant'));
    await endPause();
    await answerAll();
    assert.equal((await Promise.all(all)).length, 301);
  });

  it('has two statements under way at most', async () => {
    const { scene, lookups, answerAll, endPause } = createScene();
    const all = [lookups.find('a', 'x')];
    await setImmediate();
    for (const hash of ['b', 'c', 'd']) {
      all.push(lookups.find(hash, 'x'));
      await endPause();
    }
    assert.equal(scene.statements.length, 2);
    await answerAll();
    assert.deepEqual(scene.statements[2]?.hashes, ['c', 'd']);
    await answerAll();
    await Promise.all(all);
  });

  it('joins a lookup that waits or is fresh, and asks anew when it is old', async () => {
    const { scene, lookups, answerAll, endPause } = createScene();
    const first = lookups.find('a', 'x');
    assert.equal(lookups.find('a', 'y'), first);
    await setImmediate();
    scene.nowMs = 400;
    assert.equal(lookups.find('a', 'x'), first);
    scene.nowMs = 401;
    const second = lookups.find('a', 'x');
    assert.notEqual(second, first);
    await endPause();
    await answerAll();
    assert.equal((await first).askedAtMs, 0);
    assert.equal((await second).askedAtMs, 401);
  });

  it('refuses what one owner, or all, have waiting beyond the bounds', async () => {
    const { lookups, answerAll, endPause } = createScene();
    const all: Promise<unknown>[] = [];
    const fill = (owner: string, count: number) => {
      for (const hash of hashesOf(owner, count)) all.push(lookups.find(hash, owner));
    };
    fill('a', 300);
    await assert.rejects(lookups.find('one more', 'a'), { code: 'RATE_LIMITED' });
    fill('b', 300);
    fill('c', 300);
    fill('d', 100);
    await assert.rejects(lookups.find('one more', 'e'), { code: 'RATE_LIMITED' });
    await setImmediate();
    all.push(lookups.find('one more', 'e'));
    for (let round = 0; round < 5; round += 1) {
      await answerAll();
      await endPause();
    }
    await answerAll();
    assert.equal((await Promise.all(all)).length, 1_001);
  });

  it('passes an error on to all who waited, and asks again afterwards', async () => {
    const { scene, lookups, answerAll, endPause } = createScene();
    const failing = [lookups.find('a', 'x'), lookups.find('b', 'x')];
    const outcomes = Promise.allSettled(failing);
    await setImmediate();
    scene.statements[0]?.answer.reject(new Error('no database'));
    for (const { status } of await outcomes) assert.equal(status, 'rejected');
    const again = lookups.find('a', 'x');
    await endPause();
    await answerAll();
    assert.equal((await again).found, undefined);
  });
});
