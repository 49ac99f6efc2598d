import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createCachedReading } from './cached-reading.ts';

describe('createCachedReading', () => {
  it('returns nothing when the reading hangs, and does not start another', async () => {
    let begun = 0;
    let finish: (value: number) => void = () => undefined;
    const read = createCachedReading({
      read: () => {
        begun += 1;
        return new Promise<number>((resolve) => {
          finish = resolve;
        });
      },
      monotonicMs: () => 0,
      timeoutMs: 10,
    });
    assert.deepEqual(await Promise.all([read(), read()]), [undefined, undefined]);
    assert.equal(await read(), undefined);
    assert.equal(begun, 1);
    finish(5);
    assert.equal(await read(), 5);
    assert.equal(begun, 1);
  });
});
