import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type DoubtfulAnswer, kindOfDoubt } from './doubt-kind.ts';
import type { Outcome } from './outcome.ts';

const LOST: Outcome = { kind: 'unknown', cause: 'reset' };
const SILENCE: Outcome = { kind: 'unanswered', cause: 'timeout', retryInMs: null };
const DUPLICATE: Outcome = { kind: 'unknown', cause: 'duplicate', isDuplicate: true };
const PAID: Outcome = { kind: 'paid', operatorTransactionId: null, confirmed: [] };
const REFUSED: Outcome = { kind: 'rejected', failure: 'OPERATOR_REJECTED', cause: 'no' };

const submitted = (outcome: Outcome, given: Partial<DoubtfulAnswer> = {}): DoubtfulAnswer => ({
  purpose: 'submit',
  heard: outcome,
  weighed: outcome,
  httpStatus: null,
  accountChanged: false,
  inquires: true,
  ...given,
});
const inquired = (outcome: Outcome, given: Partial<DoubtfulAnswer> = {}): DoubtfulAnswer =>
  submitted(outcome, { purpose: 'inquire', ...given });

const SENDING = { state: 'submitting', kind: null } as const;
const after = (kind: Parameters<typeof kindOfDoubt>[0]['kind']) =>
  ({ state: 'in_doubt', kind }) as const;

describe('the kind of a doubt', () => {
  it('depends on the answer to the submission', () => {
    const throttled: Outcome = { kind: 'throttled', cause: '429', retryInMs: 1_000 };
    assert.equal(kindOfDoubt(SENDING, submitted(LOST)), 'SUBMISSION_LOST');
    assert.equal(kindOfDoubt(SENDING, submitted(LOST, { httpStatus: 502 })), 'SUBMISSION_LOST');
    assert.equal(kindOfDoubt(SENDING, submitted(LOST, { httpStatus: 200 })), 'UNREADABLE_ANSWER');
    assert.equal(
      kindOfDoubt(SENDING, submitted(throttled, { httpStatus: 429 })),
      'SUBMISSION_THROTTLED',
    );
    assert.equal(
      kindOfDoubt(SENDING, submitted(DUPLICATE, { httpStatus: 409 })),
      'DUPLICATE_REFERENCE',
    );
    const mismatched: Outcome = { kind: 'mismatched', contradicted: ['amount'], cause: 'other' };
    assert.equal(kindOfDoubt(SENDING, submitted(mismatched)), 'CONTRADICTED');
  });

  it('is INQUIRY_IMPOSSIBLE where the connector cannot inquire, after any answer to the submission', () => {
    for (const outcome of [LOST, SILENCE]) {
      assert.equal(
        kindOfDoubt(SENDING, submitted(outcome, { inquires: false })),
        'INQUIRY_IMPOSSIBLE',
      );
    }
    const unreadable = submitted(LOST, { inquires: false, httpStatus: 200 });
    assert.equal(kindOfDoubt(SENDING, unreadable), 'INQUIRY_IMPOSSIBLE');
  });

  it('is SUBMISSION_INTERRUPTED when the process that was sending it died', () => {
    assert.equal(kindOfDoubt(SENDING, inquired(SILENCE)), 'SUBMISSION_INTERRUPTED');
    assert.equal(kindOfDoubt(SENDING, inquired({ kind: 'notFound' })), 'NOT_FOUND');
  });

  it("follows the operator's later answers", () => {
    assert.equal(
      kindOfDoubt(after('SUBMISSION_LOST'), inquired({ kind: 'notFound' })),
      'NOT_FOUND',
    );
    assert.equal(kindOfDoubt(after('NOT_FOUND'), inquired(SILENCE)), 'OPERATOR_SILENT');
    assert.equal(
      kindOfDoubt(after('NOT_FOUND'), inquired(LOST, { httpStatus: 503 })),
      'OPERATOR_SILENT',
    );
    assert.equal(
      kindOfDoubt(after('OPERATOR_SILENT'), inquired(LOST, { httpStatus: 200 })),
      'UNREADABLE_ANSWER',
    );
    const pending: Outcome = { kind: 'pending', inquireInMs: 1_000 };
    assert.equal(
      kindOfDoubt({ state: 'submitted', kind: null }, inquired(pending)),
      'PENDING_TOO_LONG',
    );
    assert.equal(
      kindOfDoubt({ state: 'submitted', kind: null }, inquired(SILENCE)),
      'OPERATOR_SILENT',
    );
  });

  it('survives unanswered inquiries where it waits for something else than an answer', () => {
    const kept = ['CONTRADICTED', 'DUPLICATE_REFERENCE', 'ACCOUNT_CHANGED'] as const;
    for (const kind of [...kept, 'SUBMISSION_THROTTLED'] as const) {
      assert.equal(kindOfDoubt(after(kind), inquired(SILENCE)), kind);
    }
  });

  it('is CONTRADICTED when an answer contradicts what was sent', () => {
    assert.equal(kindOfDoubt(after('NOT_FOUND'), inquired(PAID)), 'CONTRADICTED');
    assert.equal(
      kindOfDoubt({ state: 'submitted', kind: null }, inquired(REFUSED)),
      'CONTRADICTED',
    );
  });

  it('says why an answer does not count', () => {
    const weighed: Outcome = { kind: 'unknown', cause: 'does not count' };
    const elsewhere = inquired({ kind: 'notFound' }, { weighed, accountChanged: true });
    assert.equal(kindOfDoubt(after('NOT_FOUND'), elsewhere), 'ACCOUNT_CHANGED');
    const duplicate = inquired(PAID, { weighed, httpStatus: 200 });
    assert.equal(kindOfDoubt(after('DUPLICATE_REFERENCE'), duplicate), 'DUPLICATE_REFERENCE');
  });

  it('depends on the answer to a resubmission', () => {
    const again = (outcome: Outcome, httpStatus: number | null = null) =>
      submitted(outcome, { purpose: 'resubmit', httpStatus });
    assert.equal(kindOfDoubt(after('NOT_FOUND'), again(REFUSED, 400)), 'RESUBMISSION_REFUSED');
    assert.equal(kindOfDoubt(after('NOT_FOUND'), again(LOST)), 'SUBMISSION_LOST');
    assert.equal(kindOfDoubt(after('SUBMISSION_THROTTLED'), again(LOST)), 'SUBMISSION_LOST');
    const unsent = again({ kind: 'notSent', cause: 'refused', retryInMs: 0 });
    assert.equal(kindOfDoubt(after('NOT_FOUND'), unsent), 'NOT_FOUND', 'nothing was sent');
    const elsewhere = { ...unsent, accountChanged: true };
    assert.equal(kindOfDoubt(after('NOT_FOUND'), elsewhere), 'ACCOUNT_CHANGED');
    assert.equal(kindOfDoubt(after('NOT_FOUND'), again(DUPLICATE, 409)), 'RESUBMISSION_KNOWN');
  });
});
