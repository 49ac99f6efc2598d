import assert from 'node:assert/strict';
import { it } from 'node:test';
import { minute, testAttempt, testDossier, testProposal } from '../../../test/staff-dossier.ts';
import type { StaffEntry } from '../../api/staff-types.ts';
import { readEvidence } from './read-evidence.ts';

function entry(at: string, given: Partial<StaffEntry>): StaffEntry {
  return { at, kind: 'person', title: '', detail: null, actor: null, facts: {}, ...given };
}

function prove(entries: readonly StaffEntry[], proposal = testProposal(minute(9), 'Chanda')) {
  const lines = readEvidence(testDossier({ entries, proposal }));
  return lines.map(({ says, proves }) => [says, proves.word]);
}

it('only the open proposal counts with a second person', () => {
  const entries = [
    entry(minute(1), { title: 'Proposed that it was not paid' }),
    entry(minute(2), { title: 'Proposal withdrawn', facts: { endedAs: 'withdrawn' } }),
    entry(minute(9), { title: 'Proposed that it was paid' }),
  ];
  assert.deepEqual(prove(entries), [
    ['Proposed that it was paid', 'with a second person'],
    ['Proposal withdrawn', 'nothing, it has ended'],
    ['Proposed that it was not paid', 'nothing, it has ended'],
  ]);
});

it('an incident contradicts until it is closed', () => {
  const incident = (at: string, title: string, incidentId: string) =>
    entry(at, { kind: 'incident', title, facts: { incidentId } });
  const entries = [
    incident(minute(1), 'Incident opened: mismatch', 'a'),
    incident(minute(2), 'Incident opened: paid', 'b'),
    incident(minute(3), 'Incident closed: mismatch', 'a'),
  ];
  assert.deepEqual(prove(entries), [
    ['Incident closed: mismatch', 'nothing'],
    ['Incident opened: paid', 'contradicts'],
    ['Incident opened: mismatch', 'nothing'],
  ]);
});

it('a callback that reports another payout says which, and contradicts', () => {
  const callback = (at: string, facts: StaffEntry['facts']) =>
    entry(at, { kind: 'callback', facts: { claims: 'paid', ...facts } });
  const entries = [
    callback(minute(1), { reportedAmount: null, reportedCurrency: null, reportedPhone: null }),
    callback(minute(2), { reportedAmount: '1205.00', reportedPhone: '+260 96 ••• 0111' }),
    callback(minute(3), { reportedCurrency: 'NGN' }),
  ];
  assert.deepEqual(prove(entries), [
    ['It says paid, but in NGN', 'contradicts'],
    [
      'It says paid, but the amount ZMW\u00a01,205.00 and the number +260 96 ••• 0111',
      'contradicts',
    ],
    ['It says paid', 'nothing'],
  ]);
});

it('what a recall is answered is not the answer to an inquiry, and proves nothing', () => {
  const recall = { operation: 'recall', outcome: 'rejected', httpStatus: 201 };
  const entries = [testAttempt(minute(1), recall)];
  const [line] = readEvidence(testDossier({ entries }));
  assert.equal(line?.source, 'MTN’s answer to our recall');
  assert.equal(line?.proves.word, 'nothing');
});
