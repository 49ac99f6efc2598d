import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Workload } from '../load/load-plan.ts';
import { AnswerCounter } from './answer-counter.ts';
import { SERVICE, serviceSide } from './side-spec.ts';

const TRANSFERS: Workload = { kind: 'transfers', targets: [], phone: '' };
const BULK: Workload = { kind: 'bulk', targets: [], phone: '', transfersPerCall: 1_000 };
const LOOKUPS: Workload = { kind: 'lookups', lookups: [] };

describe('the book of answers', () => {
  it('counts what must be in the database, for each kind of call', () => {
    const book = new AnswerCounter(SERVICE);
    assert.equal(book.note(TRANSFERS, { statuses: { 201: 40 }, withoutRetryAfter: 0 }), 40);
    assert.equal(book.note(BULK, { statuses: { 200: 2 }, withoutRetryAfter: 0 }), 2_000);
    assert.equal(book.note(LOOKUPS, { statuses: { 200: 7 }, withoutRetryAfter: 0 }), 7);
    assert.equal(book.accepted, 2_040);
    assert.deepEqual(book.problems(), []);
  });

  it('names every unexpected answer', () => {
    const book = new AnswerCounter(SERVICE);
    book.note(TRANSFERS, { statuses: { 201: 1, 503: 2, 409: 3 }, withoutRetryAfter: 5 });
    book.note(LOOKUPS, { statuses: { 404: 1 }, withoutRetryAfter: 0 });
    assert.deepEqual(book.problems(), [
      '3 answers were 409',
      '2 answers were 503',
      '1 answers were 404',
      '5 refusals had no Retry-After',
    ]);
  });

  it('allows expected refusals if they have Retry-After', () => {
    const book = new AnswerCounter(serviceSide('overload', { mayRefuse: true }));
    book.note(TRANSFERS, { statuses: { 201: 1, 503: 9 }, withoutRetryAfter: 0 });
    assert.deepEqual(book.problems(), []);
    assert.equal(book.accepted, 1);
  });
});
