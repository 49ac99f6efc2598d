import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { RunFacts } from '../journal/exchange-record.ts';
import { checkResubmissions } from './check-resubmissions.ts';
import type { OperatorBook } from './read-books.ts';
import type { AttemptRow, Snapshot } from './snapshot.ts';
import type { Found } from './violation.ts';

const MINUTE_MS = 60_000;
const RESUBMISSIONS = 2;

function attemptAt(minute: number, row: Partial<AttemptRow>, minutes = 0): AttemptRow {
  return {
    bookId: 'live',
    transferId: 'payout',
    route: 'airtel-zm',
    purpose: 'inquire',
    operatorReference: 'order',
    outcome: 'notFound',
    httpStatus: 200,
    isSigned: null,
    startedAt: new Date((minute - minutes) * MINUTE_MS).toISOString(),
    endedAt: new Date(minute * MINUTE_MS).toISOString(),
    ...row,
  };
}

const SUBMITTED = attemptAt(1, { purpose: 'submit', outcome: 'unknown' });
const RESUBMITTED = { purpose: 'resubmit', outcome: 'unknown' };
const PROOF = [attemptAt(2, {}), attemptAt(10, {}), attemptAt(18, {})];

function check(attempts: readonly AttemptRow[]): readonly string[] {
  const transfer = {
    id: 'payout',
    route: 'airtel-zm',
    operatorReference: 'order',
    resubmissions: RESUBMISSIONS,
  };
  const received = { reference: 'order', account: 'one', receivedAt: new Date(0).toISOString() };
  const book = { name: 'airtel', routes: ['airtel-zm'], arrivals: [received] };
  const found: Found = [];
  checkResubmissions(
    {
      transfers: [transfer],
      attempts: attempts.toSorted((a, b) => a.endedAt.localeCompare(b.endedAt)),
      events: [],
    } as unknown as Snapshot,
    {
      books: [book as unknown as OperatorBook],
      facts: {
        clockMoved: false,
        timeScale: 1,
        referenceMemoryMs: 12 * 60 * MINUTE_MS,
      } as RunFacts,
    },
    found,
  );
  return found.map(({ invariant }) => invariant);
}

it('lets an order be resubmitted after three answers of "not found" in 15 minutes', () => {
  assert.deepEqual(check([SUBMITTED, ...PROOF, attemptAt(20, RESUBMITTED)]), []);
});

it('reports a resubmission after the answers about the submission before', () => {
  const attempts = [SUBMITTED, ...PROOF, attemptAt(20, RESUBMITTED), attemptAt(21, RESUBMITTED)];
  assert.deepEqual(check(attempts), ['I27']);
});

it('reports one whose answers came too soon after each other', () => {
  const attempts = [SUBMITTED, attemptAt(2, {}), attemptAt(3, {}), attemptAt(4, {})];
  assert.deepEqual(check([...attempts, attemptAt(20, RESUBMITTED)]), []);
  assert.deepEqual(check([...attempts, attemptAt(5, RESUBMITTED)]), ['I27']);
});

it('counts an answer that came while the submission before still waited for its own', () => {
  const waited = attemptAt(30, RESUBMITTED, 10);
  const answers = [attemptAt(22, {}), attemptAt(32, {}), attemptAt(38, {})];
  const attempts = [SUBMITTED, ...PROOF, waited, ...answers, attemptAt(40, RESUBMITTED)];
  assert.deepEqual(check(attempts), []);
});

it('reports one after an answer that came before the submission before began', () => {
  const waited = attemptAt(30, RESUBMITTED, 10);
  const answers = [attemptAt(19, {}), attemptAt(32, {}), attemptAt(38, {})];
  const attempts = [SUBMITTED, ...PROOF, waited, ...answers, attemptAt(40, RESUBMITTED)];
  assert.deepEqual(check(attempts), ['I27']);
});

it('counts the answers before one that seems to have taken a minute, since the machine was suspended', () => {
  assert.deepEqual(check([SUBMITTED, ...PROOF, attemptAt(20, RESUBMITTED, 19)]), []);
});
