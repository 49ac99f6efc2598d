import assert from 'node:assert/strict';
import { it } from 'node:test';
import {
  type ControlFacts,
  type ReceivedRecord,
  SCREENER_PATH,
} from '../journal/exchange-record.ts';
import { checkScreenings } from './check-screenings.ts';
import type { Snapshot } from './snapshot.ts';
import type { Found } from './violation.ts';

const SENT_AT = '2026-11-19T08:00:01.000Z';
const RECEIVED = {
  path: SCREENER_PATH,
  at: '2026-11-19T08:00:00.000Z',
  manner: 'taken',
  waitMs: 0,
  body: JSON.stringify({ transfer: { id: 'payout' } }),
} as const;

/** Of a payout that was sent, and that its screener allowed by these calls. */
function check(received: readonly Partial<ReceivedRecord>[]): readonly string[] {
  const metadata = { screened: 'allow' };
  const payout = { id: 'payout', bookId: 'live', state: 'succeeded', firstSubmittedAt: SENT_AT };
  const snapshot = {
    transfers: [{ ...payout, metadata }],
    screenings: [{ transferId: 'payout', rule: 'screened', decision: 'allow' }],
  };
  const facts = { bookId: 'live' } as ControlFacts;
  const found: Found = [];
  checkScreenings(
    snapshot as unknown as Snapshot,
    { facts, received: received as readonly ReceivedRecord[] },
    found,
  );
  return found.map(({ invariant }) => invariant);
}

it('lets a payout be sent after its screener allowed it', () => {
  assert.deepEqual(check([RECEIVED]), []);
  assert.deepEqual(check([{ ...RECEIVED, manner: 'slow', waitMs: 999 }]), []);
});

it('reports one that was sent while its screener held the answer back', () => {
  assert.deepEqual(check([{ ...RECEIVED, manner: 'slow', waitMs: 1_500 }]), ['I34']);
});

it('reports one that was sent although its screener gave no answer', () => {
  assert.deepEqual(check([]), ['I34']);
  assert.deepEqual(check([{ ...RECEIVED, manner: 'reset' }]), ['I34']);
});

it('goes by the first of several answers', () => {
  const late = { ...RECEIVED, at: '2026-11-19T08:00:05.000Z' };
  assert.deepEqual(check([late, RECEIVED]), []);
  assert.deepEqual(check([late]), ['I34']);
});
