import assert from 'node:assert/strict';
import { it } from 'node:test';
import * as fc from 'fast-check';
import { readOperatorRetryAfter } from './retry-after.ts';

const NOW = 'Sun, 15 Nov 2026 10:00:00 GMT';
const read = (text: string) => readOperatorRetryAfter({ 'retry-after': text, date: NOW });

it('reads seconds', () => {
  assert.equal(read('0'), 0);
  assert.equal(read('2'), 2_000);
  assert.equal(read(' 120 '), 120_000);
});

it('reads each form of HTTP date, relative to the Date of the answer', () => {
  for (const text of [
    'Sun, 15 Nov 2026 10:00:07 GMT',
    'Sunday, 15-Nov-26 10:00:07 GMT',
    'Sun Nov 15 10:00:07 2026 GMT',
  ]) {
    assert.equal(read(text), 7_000, text);
  }
});

it('is limited to an hour', () => {
  assert.equal(read('3601'), 3_600_000);
  assert.equal(read('9'.repeat(400)), 3_600_000);
  assert.equal(read('Mon, 16 Nov 2026 10:00:00 GMT'), 3_600_000);
});

it('is null if nothing can be read', () => {
  const rubbish = ['', '-1', '1.5', '1e3', '0x10', 'soon', '2, 3'];
  for (const text of [...rubbish, 'Sun, 15 Nov 2026 09:59:59 GMT', 'Sun, 99 Nov 2026 10:00:00 GMT'])
    assert.equal(read(text), null, text);
  assert.equal(readOperatorRetryAfter({}), null);
  assert.equal(
    readOperatorRetryAfter({ 'retry-after': NOW }),
    null,
    'without a Date to compare with',
  );
});

it('is between zero and an hour for any header', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const ms = read(text);
      assert.ok(ms === null || (Number.isFinite(ms) && ms >= 0 && ms <= 3_600_000));
    }),
  );
});
