import assert from 'node:assert/strict';
import { it } from 'node:test';
import { checkEnds } from './check-ends.ts';
import type { IncidentRow, Snapshot, TransferRow } from './snapshot.ts';
import type { Found } from './violation.ts';

const INCIDENT: IncidentRow = {
  transferId: 'payout',
  kind: 'paid_before_sent',
  isOpen: true,
  reportedBy: ['mtn-zm'],
};

/** Of a payout that is in the queue of route mtn-zm-2 although nothing changes any more. */
function check(incidents: readonly IncidentRow[]): readonly string[] {
  const transfer = { id: 'payout', bookId: 'live', state: 'queued', route: 'mtn-zm-2' };
  const snapshot = {
    books: [{ id: 'live', mode: 'live' }],
    transfers: [transfer as TransferRow],
    incidents,
  };
  const found: Found = [];
  checkEnds(snapshot as unknown as Snapshot, [], found);
  return found.map(({ invariant }) => invariant);
}

it('reports a payout that is still queued', () => {
  assert.deepEqual(check([]), ['I13']);
});

it('lets one wait for a person that another route reports as paid', () => {
  assert.deepEqual(check([INCIDENT]), []);
});

it('reports one that only its own route reports as paid, since that route may send it', () => {
  assert.deepEqual(check([{ ...INCIDENT, reportedBy: ['mtn-zm-2'] }]), ['I13']);
});

it('reports one whose incident a person closed', () => {
  assert.deepEqual(check([{ ...INCIDENT, isOpen: false }]), ['I13']);
});
