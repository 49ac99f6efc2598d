import assert from 'node:assert/strict';
import { it } from 'node:test';
import { testDoubt } from '../../../test/staff-dossier.ts';
import { splitProposals } from './split-proposals.ts';

const doubts = [
  testDoubt('own', 'me'),
  testDoubt('none', null),
  ...Array.from({ length: 7 }, (_, index) => testDoubt(`other-${index}`, 'Chanda')),
];

it('says how many more there are than the five shown', () => {
  const { shown, more, others } = splitProposals(doubts, { id: 'me', mayResolve: true });
  assert.deepEqual([shown.length, more, others], [5, 2, 1]);
  assert.equal(shown[0]?.transfer.id, 'other-0');
});

it('asks no one as the second person who may not decide', () => {
  const { shown, more, others } = splitProposals(doubts, { id: 'me', mayResolve: false });
  assert.deepEqual([shown.length, more, others], [0, 0, 8]);
});
