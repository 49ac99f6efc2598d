import assert from 'node:assert/strict';
import { it } from 'node:test';
import { minute } from '../../../test/staff-dossier.ts';
import type { TakeBack } from '../../api/staff-types.ts';
import { findStep, isSameStep } from './take-back-step.ts';

const proposed: TakeBack = {
  id: 'proposal',
  merchant: { id: 'kitwe', name: 'Kitwe Foods' },
  mode: 'live',
  walletId: 'main',
  currency: 'ZMW',
  fundingReference: 'bank-7',
  amount: '500.00',
  reason: 'wrong merchant',
  proposedBy: { id: 'chanda', name: 'Chanda' },
  proposedAt: minute(0),
  expiresAt: minute(60),
  end: null,
};
const about = {
  walletId: 'main',
  fundingReference: 'bank-7',
  myId: 'me',
  now: new Date(minute(1)),
};
const listed = (one: TakeBack) => ({ items: [one], more: false });

it('knows whether a click proposes or carries out', () => {
  assert.deepEqual(findStep(listed(proposed), about), { kind: 'carryOut', takeBack: proposed });
  assert.equal(findStep(listed(proposed), { ...about, myId: 'chanda' }).kind, 'own');
  const other = { ...about, fundingReference: 'bank-8' };
  assert.equal(findStep(listed(proposed), other).kind, 'propose');
  const late = { ...about, now: new Date(minute(60)) };
  assert.equal(findStep(listed(proposed), late).kind, 'propose');
  const end = { at: minute(1), as: 'withdrawn', by: null, reason: null };
  assert.equal(findStep(listed({ ...proposed, end }), about).kind, 'propose');
});

it('says nothing about it while the proposals are not all known', () => {
  assert.equal(findStep(undefined, about).kind, 'unknown');
  assert.equal(findStep({ items: [], more: true }, about).kind, 'unknown');
  const without = { items: [], more: false, unansweredCells: ['north'] };
  assert.equal(findStep(without, about).kind, 'unknown');
});

it('notices that a click would do something else than it said', () => {
  const propose = findStep({ items: [], more: false }, about);
  const carryOut = findStep(listed(proposed), about);
  assert.equal(isSameStep(propose, carryOut), false);
  assert.equal(isSameStep(carryOut, findStep(listed({ ...proposed, id: 'next' }), about)), false);
  assert.equal(isSameStep(carryOut, findStep(listed(proposed), about)), true);
});
