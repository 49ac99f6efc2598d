import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { parseReference } from './reference.ts';
import {
  earlierReferences,
  hashedReference,
  isRetryReference,
  retryReference,
} from './retry-reference.ts';

describe('the reference of a payout that is paid again', () => {
  // Computed once by PostgreSQL. Payouts are stored under references that were derived this way: if one of these lines
  // must change, what failed before and was paid again is paid once more.
  for (const [failed, next] of [
    ['a', 'a.retry-1'],
    ['a.retry-1', 'a.retry-2'],
    ['a.retry-19', 'a.retry-20'],
    ['a.retry-007', 'a.retry-8'],
    ['a.retry-1.retry-3', 'a.retry-1.retry-4'],
    ['a.retry-9999', 'a.retry-10000'],
    ['a.retry-10000', 'a.retry-10000.retry-1'],
    ['a.retry-', 'a.retry-.retry-1'],
    ['.retry-1', '.retry-1.retry-1'],
    ['x'.repeat(80), `${'x'.repeat(80)}.retry-1`],
    [`${'x'.repeat(80)}.retry-9999`, `${'x'.repeat(80)}.retry-10000`],
    ['x'.repeat(81), 'retry-4d1f7bb876c6aae013f06a7430b8c6545ff30d8f9252838eb18b6357c1a2ba13'],
    ['x'.repeat(92), 'retry-07b1ab5a68bbd57029cd7480e08523515e2d4f75f7b453aba241382174be64c0'],
    ['x'.repeat(93), 'retry-971df830e27bad508b23d2dbc5d909815ff142d4766d2ebb03c16b2ab3a50345'],
    ['x'.repeat(100), 'retry-09ecb6ebc8bcefc733f6f2ec44f791abeed6a99edf0cc31519637898aebd52d8'],
    [
      `${'x'.repeat(81)}.retry-1`,
      'retry-5313243fc45523d21b3d9a6bcb3c6af3d8141015224bacf0cac09137afe8899f',
    ],
    [
      `${'x'.repeat(80)}.retry-10000`,
      'retry-ed47393a891548904943647bfc3301eb8f83c8197dc3b463ff8f6932d328db26',
    ],
    [
      'retry-4d1f7bb876c6aae013f06a7430b8c6545ff30d8f9252838eb18b6357c1a2ba13',
      'retry-4d1f7bb876c6aae013f06a7430b8c6545ff30d8f9252838eb18b6357c1a2ba13.retry-1',
    ],
  ] as const) {
    it(`is always ${next.slice(0, 20)} after ${failed.slice(0, 20)} (${failed.length})`, () => {
      assert.equal(retryReference(failed), next);
    });
  }

  it('tells of all payouts before it, or has the hash of the first', () => {
    assert.deepEqual(earlierReferences('a.retry-2'), ['a', 'a.retry-1', 'a.retry-0']);
    assert.deepEqual(earlierReferences('a'), []);
    for (const first of ['a', 'a.retry-9999', 'x'.repeat(80), 'x'.repeat(81)]) {
      const next = retryReference(first);
      assert.ok(isRetryReference(next) && isRetryReference(retryReference(next)));
      if (first.length <= 80) assert.ok(earlierReferences(next).includes(first));
      else {
        assert.deepEqual(
          [hashedReference(next), hashedReference(retryReference(next))],
          [next, next],
        );
      }
    }
    assert.deepEqual(['a', 'retry-1', 'a.retry-', 'aretry-1'].map(isRetryReference), [
      false,
      false,
      false,
      false,
    ]);
  });

  it('tells of all payouts before it as far as the command line goes, and of a bounded number past that', () => {
    const all = ['a', ...Array.from({ length: 20 }, (_, n) => `a.retry-${n}`)];
    assert.deepEqual(new Set(earlierReferences('a.retry-20')), new Set(all));
    const past = earlierReferences('a.retry-9999');
    assert.deepEqual([past.length, past[0], past.at(-1)], [21, 'a', 'a.retry-9979']);
  });

  it('may be one that older command lines made, with a number after a long reference', () => {
    const longest = 'x'.repeat(92);
    for (const first of ['x'.repeat(81), longest]) {
      assert.ok(isRetryReference(`${first}.retry-1`));
      assert.ok(earlierReferences(`${first}.retry-1`).includes(first));
      assert.equal(hashedReference(`${first}.retry-1`), undefined);
    }
    assert.equal(parseReference(`${longest}.retry-1`), `${longest}.retry-1`);
  });

  it('is another reference for any reference', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-zA-Z0-9._-]{1,100}$/), (failed) => {
        const next = retryReference(failed);
        assert.equal(parseReference(next), next);
        assert.notEqual(next, failed);
      }),
    );
  });
});
