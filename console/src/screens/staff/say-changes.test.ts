import assert from 'node:assert/strict';
import { it } from 'node:test';
import { minute, testAttempt, testDossier, testProposal } from '../../../test/staff-dossier.ts';
import { sayChanges } from './say-changes.ts';

const NOT_FOUND = { operation: 'inquire', outcome: 'notFound', httpStatus: 404 };
const seen = testDossier({ entries: [testAttempt(minute(1), NOT_FOUND)] });

it('tells a person who meant to propose that the next click carries out what a colleague proposed', () => {
  const now = { ...seen, proposal: testProposal(minute(2), 'Chanda') };
  assert.deepEqual(sayChanges(seen, now), [
    'Chanda says that it was paid. If you say the same, your next click carries it out.',
  ]);
  assert.deepEqual(sayChanges(now, seen), [
    'The proposal was withdrawn or has ended. Your next click makes a new proposal.',
  ]);
});

it('tells of a new callback, a new answer and a contradiction', () => {
  const callback = {
    at: minute(3),
    kind: 'callback' as const,
    title: '',
    detail: null,
    actor: null,
    facts: { claims: 'paid' },
  };
  const paid = testAttempt(minute(4), { operation: 'inquire', outcome: 'paid', httpStatus: 200 });
  assert.deepEqual(sayChanges(seen, { ...seen, entries: [...seen.entries, callback, paid] }), [
    '2 lines are new under What is known.',
  ]);
  const evidence = { ...seen.evidence, contradictions: ['amount'] };
  assert.deepEqual(sayChanges(seen, { ...seen, evidence }), [
    'The operator contradicts what was sent.',
  ]);
});

it('does not stop a decision for an answer that repeats the one before', () => {
  const again = [...seen.entries, testAttempt(minute(5), NOT_FOUND)];
  assert.deepEqual(sayChanges(seen, { ...seen, entries: again }), []);
});

it('tells that it has ended', () => {
  const transfer = { ...seen.transfer, state: 'succeeded' as const };
  assert.deepEqual(sayChanges(seen, { ...seen, transfer }), ['It is no longer as it was.']);
});
