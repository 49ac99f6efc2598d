import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { TRANSFER_STATUSES } from '../../../sdk/src/index.ts';
import { retryReference } from '../../../service/src/domain/retry-reference.ts';
import { fakeKafue, payoutOf, transferOf } from '../../test/fake-kafue.ts';
import type { Payout } from '../payout-file/payout.ts';
import type { WaitingRow } from './find-waiting.ts';
import { planPayouts } from './plan-payouts.ts';

type Changes = Readonly<Record<string, unknown>>;
const FAILED: Changes = { status: 'failed', state: 'failed' };

/** Plans the payouts before a service that has these transfers. */
async function plan(
  payouts: readonly Payout[],
  transfers: Readonly<Record<string, Changes>>,
  { retryFailed = true, waiting = new Map<string, WaitingRow>() } = {},
) {
  const service = fakeKafue(({ references }) => {
    const items = references.flatMap((name) => {
      const changes = transfers[name];
      return changes === undefined ? [] : [transferOf(name, changes)];
    });
    return { status: 200, data: { items, nextCursor: null } };
  });
  const stop = new AbortController().signal;
  const deps = { kafue: service.kafue, stop, onLookedUp: () => undefined };
  const { lines, notes } = await planPayouts(deps, payouts, { retryFailed, waiting });
  const shown = lines.map(({ payout, outcome }) => {
    const { reference, retryOf } = payout;
    return `${outcome?.kind ?? 'to pay'} ${reference}${retryOf === null ? '' : ` for ${retryOf}`}`;
  });
  return { shown, notes, calls: service.calls() };
}

describe('planPayouts', () => {
  it('pays again only what is known to have failed, and never any other status', async () => {
    for (const status of TRANSFER_STATUSES) {
      const { shown } = await plan([payoutOf('a')], { a: { status } });
      const expected = status === 'failed' ? 'to pay a.retry-1 for a' : 'already_sent a';
      assert.deepEqual(shown, [expected], status);
    }
  });

  it('goes by the last retry: each one before it must have failed', async () => {
    const failed = { a: FAILED, 'a.retry-1': FAILED };
    const next = await plan([payoutOf('a')], failed);
    assert.deepEqual(next.shown, ['to pay a.retry-2 for a']);
    for (const status of ['pending', 'successful', 'cancelled', 'reversed']) {
      const { shown } = await plan([payoutOf('a')], { ...failed, 'a.retry-2': { status } });
      assert.deepEqual(shown, ['already_sent a.retry-2 for a'], status);
    }
  });

  it('without being told to, pays no failed line again and shows its last end', async () => {
    const payouts = [payoutOf('a'), payoutOf('b', 3), payoutOf('c', 4)];
    const transfers = { a: FAILED, b: FAILED, 'b.retry-1': FAILED };
    const { shown } = await plan(payouts, transfers, { retryFailed: false });
    assert.deepEqual(shown, ['already_sent a', 'already_sent b.retry-1 for b', 'to pay c']);
  });

  it('pays a failed line again as it is now, and is in conflict with any other', async () => {
    const corrected = { ...payoutOf('a'), phone: '0966433572' };
    assert.deepEqual((await plan([corrected], { a: FAILED })).shown, ['to pay a.retry-1 for a']);
    assert.deepEqual((await plan([corrected], { a: {} })).shown, ['conflict a']);
    assert.deepEqual((await plan([corrected], { a: FAILED }, { retryFailed: false })).shown, [
      'conflict a',
    ]);
    const paid = { a: FAILED, 'a.retry-1': { status: 'successful' } };
    assert.deepEqual((await plan([corrected], paid)).shown, ['conflict a.retry-1 for a']);
  });

  it('compares every value of the line, and a number in any spelling', async () => {
    const changes: readonly Partial<Payout>[] = [
      { amountMinor: 1_011n },
      { operator: 'airtel' },
      { walletId: '01890a5d-ac96-774b-bcce-b302099a8058' },
      { narration: 'x' },
      { recipientName: 'x' },
      { phone: '0966433572' },
    ];
    for (const change of changes) {
      const { shown } = await plan([{ ...payoutOf('a'), ...change }], { a: {} });
      assert.deepEqual(shown, ['conflict a'], JSON.stringify(Object.keys(change)));
    }
    const spelt = { ...payoutOf('a'), phone: '+260 (0) 96-643-3571' };
    assert.deepEqual((await plan([spelt], { a: {} })).shown, ['already_sent a']);
  });

  it('names what it pays again as the service does, and finds what the service has paid again', async () => {
    const long = 'x'.repeat(85);
    const hashed = `retry-${createHash('sha256').update(long).digest('hex')}`;
    const chains = [
      [long, hashed, `${hashed}.retry-1`],
      ['b.retry-2', 'b.retry-3', 'b.retry-4'],
    ] as const;
    for (const [first, second, third] of chains) {
      const payouts = [payoutOf(first)];
      assert.deepEqual((await plan(payouts, { [first]: FAILED })).shown, [
        `to pay ${second} for ${first}`,
      ]);
      const paid = await plan(payouts, { [first]: FAILED, [second]: { status: 'successful' } });
      assert.deepEqual(paid.shown, [`already_sent ${second} for ${first}`]);
      const failed = await plan(payouts, { [first]: FAILED, [second]: FAILED });
      assert.deepEqual(failed.shown, [`to pay ${third} for ${first}`]);
    }
  });

  it('finds what versions before named otherwise', async () => {
    for (const first of ['x'.repeat(85), 'b.retry-2']) {
      const [second, third] = [`${first}.retry-1`, `${first}.retry-2`];
      const failed = { [first]: FAILED, [second]: FAILED };
      for (const retryFailed of [true, false]) {
        const paid = { ...failed, [third]: { status: 'successful' } };
        const { shown } = await plan([payoutOf(first)], paid, { retryFailed });
        assert.deepEqual(shown, [`already_sent ${third} for ${first}`]);
      }
      const { shown } = await plan([payoutOf(first)], failed);
      assert.deepEqual(shown, [`to pay ${retryReference(first)} for ${first}`]);
    }
  });

  it('does not pay again under a reference that another line has or gets', async () => {
    const names = ['a', 'a.retry-1', 'b.retry-7', 'b.retry-07'];
    const payouts = names.map((name, index) => payoutOf(name, index + 2));
    const transfers = { a: FAILED, 'b.retry-7': FAILED, 'b.retry-07': FAILED };
    const { shown, notes } = await plan(payouts, transfers);
    assert.deepEqual(shown, [
      'already_sent a',
      'to pay a.retry-1',
      'to pay b.retry-8 for b.retry-7',
      'already_sent b.retry-07',
    ]);
    assert.deepEqual(
      notes.map(({ line, reason }) => [line, /give the line a new reference/.test(reason)]),
      [
        [2, true],
        [5, true],
      ],
    );
  });

  it('pays a line again twenty times, and finds what was paid after that', async () => {
    const failedTimes = (times: number): Record<string, Changes> =>
      Object.fromEntries(
        Array.from({ length: times }, (_, n) => [n === 0 ? 'a' : `a.retry-${n}`, FAILED]),
      );
    const last = await plan([payoutOf('a')], failedTimes(20));
    assert.deepEqual([last.shown, last.notes], [['to pay a.retry-20 for a'], []]);
    const { shown, notes } = await plan([payoutOf('a')], failedTimes(21));
    assert.deepEqual(shown, ['already_sent a.retry-20 for a']);
    assert.match(notes[0]?.reason ?? '', /^It failed 21 times\. Not paid again/);
    const paid = { ...failedTimes(23), 'a.retry-23': { status: 'successful' } };
    const found = await plan([payoutOf('a')], paid);
    assert.deepEqual([found.shown, found.notes], [['already_sent a.retry-23 for a'], []]);
  });

  it('takes a row that waits in a payout file for sent, unless it says something else', async () => {
    const file = { id: 'f', name: 'File', state: 'awaiting_approval', payAt: null } as const;
    const row = (isSame: boolean): WaitingRow => ({ file, means: () => isSame });
    const waiting = new Map([
      ['a', row(true)],
      ['b', row(false)],
      ['c.retry-1', row(true)],
    ]);
    const payouts = ['a', 'b', 'c', 'd'].map((name, index) => payoutOf(name, index + 2));
    for (const retryFailed of [true, false]) {
      const { shown } = await plan(payouts, { c: FAILED }, { retryFailed, waiting });
      assert.deepEqual(shown, ['waiting a', 'conflict b', 'waiting c.retry-1 for c', 'to pay d']);
    }
  });

  it('asks for a hundred references in one call, and fewer of long ones', async () => {
    const many = Array.from({ length: 250 }, (_, n) => payoutOf(`r-${n}`, n + 2));
    assert.equal((await plan(many, {})).calls, 3);
    const long = Array.from({ length: 200 }, (_, n) => payoutOf(String(n).padStart(100, 'x')));
    assert.equal((await plan(long, {})).calls, 3);
  });
});
