import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Fetched, keepFresh } from './keep-fresh.ts';

function steps(answers: (Fetched<string> | Error)[]) {
  const clock = { nowMs: 0 };
  let fetches = 0;
  const kept = keepFresh<string>({
    nowMs: () => clock.nowMs,
    async fetch() {
      const answer = answers[fetches];
      fetches += 1;
      if (answer === undefined || answer instanceof Error) throw answer ?? new Error('no more');
      return answer;
    },
  });
  return { clock, kept, fetches: () => fetches };
}

function fetched(value: string): Fetched<string> {
  return { kind: 'fetched', value, freshForMs: 100, usableForMs: 150 };
}

const FAILED: Fetched<string> = { kind: 'failed', cause: 'down' };

describe('a value that is kept fresh', () => {
  it('is fetched once for all who ask at once, and again only when it is old', async () => {
    const { clock, kept, fetches } = steps([fetched('a'), fetched('b')]);
    const all = await Promise.all(Array.from({ length: 50 }, () => kept.get()));
    assert.deepEqual(
      new Set(all.map((each) => each.kind === 'ready' && each.value)),
      new Set(['a']),
    );
    clock.nowMs = 99;
    await kept.get();
    assert.equal(fetches(), 1);
    clock.nowMs = 150;
    assert.deepEqual(await kept.get(), { kind: 'ready', value: 'b' });
    assert.equal(fetches(), 2);
  });

  it('is renewed in the background while the old one is usable', async () => {
    const { clock, kept, fetches } = steps([fetched('a'), fetched('b')]);
    await kept.get();
    clock.nowMs = 100;
    assert.deepEqual(await kept.get(), { kind: 'ready', value: 'a' });
    assert.equal(fetches(), 2);
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(await kept.get(), { kind: 'ready', value: 'b' });
    assert.equal(fetches(), 2);
  });

  it('outlives a renewal that fails, but not its own end', async () => {
    const { clock, kept } = steps([
      fetched('a'),
      FAILED,
      FAILED,
      new TypeError('odd'),
      fetched('b'),
    ]);
    await kept.get();
    clock.nowMs = 120;
    assert.deepEqual(await kept.get(), { kind: 'ready', value: 'a' });
    await new Promise((resolve) => setImmediate(resolve));
    clock.nowMs = 150;
    assert.deepEqual(await kept.get(), FAILED);
    assert.deepEqual(await kept.get(), { kind: 'failed', cause: 'TypeError' });
    assert.deepEqual(await kept.get(), { kind: 'ready', value: 'b' });
  });

  it('is forgotten when refused, and its successor is not', async () => {
    const { kept, fetches } = steps([fetched('a'), fetched('b')]);
    await kept.get();
    kept.forget('a');
    await kept.get();
    kept.forget('a');
    assert.deepEqual(await kept.get(), { kind: 'ready', value: 'b' });
    assert.equal(fetches(), 2);
  });
});
