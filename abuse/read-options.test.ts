import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ATTACKS } from './attacks/attacks.ts';
import { BadUsage, readOptions } from './read-options.ts';

describe('the options', () => {
  it('choose attacks by number, or by number and letter', () => {
    const idsOf = (...args: readonly string[]) => readOptions(args).attacks.map(({ id }) => id);
    assert.deepEqual(
      idsOf(),
      ATTACKS.map(({ id }) => id),
    );
    assert.deepEqual(idsOf('--only', '2,1a, 7'), ['1a', '2a', '2b', '2c', '2d', '7']);
  });

  it('choose bounds by words of their names', () => {
    const { planted, bound, attacks } = readOptions(['--planted', '--only', 'a bulk body']);
    assert.deepEqual({ planted, bound }, { planted: true, bound: 'a bulk body' });
    assert.equal(attacks.length, ATTACKS.length);
  });

  it('name what is wrong', () => {
    for (const args of [
      ['--only', '2,99'],
      ['--only', ''],
      ['--seed', 'x'],
      ['--unknown'],
      ['1'],
    ]) {
      assert.throws(() => readOptions(args), BadUsage);
    }
  });
});
