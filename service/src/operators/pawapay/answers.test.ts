import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { COMPLETED, PAYOUT, PAYOUT_ID } from '../../../test/fakes/fake-pawapay.ts';
import { type FailureCode, REPORTED_FIELDS } from '../../domain/outcome.ts';
import { readExactJson } from '../wire/exact-json.ts';
import type { WireAnswer } from '../wire/operator-wire.ts';
import { readCancellation, readInitiation, readStatus } from './answers.ts';
import { PAWAPAY_CODES, PAWAPAY_STATUSES } from './codes.ts';

const ASKED = { payout: PAYOUT, ageMs: 0 };
const OTHER_ID = '00000000-0000-4000-8000-000000000000';

function answered(status: number, body: unknown): WireAnswer & { kind: 'answered' } {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const record = { request: '', httpStatus: status, answer: '', elapsedMs: 0 };
  return { kind: 'answered', status, headers: {}, text, json: readExactJson(text), record };
}

const initiation = (status: number, body: unknown) => readInitiation(answered(status, body), ASKED);
const found = (data: unknown, httpStatus = 200) =>
  readStatus(answered(httpStatus, { status: 'FOUND', data }), ASKED);
const refusal = (failureCode: string, payoutId?: string) => ({
  payoutId,
  status: 'REJECTED',
  failureReason: { failureCode, failureMessage: 'No.' },
});

/** Copied by hand from the documentation. */
const REFUSALS: readonly (readonly [string, readonly number[], FailureCode])[] = [
  ['NO_AUTHENTICATION', [401], 'OPERATOR_REJECTED'],
  ['AUTHENTICATION_ERROR', [401, 403], 'OPERATOR_REJECTED'],
  ['AUTHORISATION_ERROR', [403], 'OPERATOR_REJECTED'],
  ['HTTP_SIGNATURE_ERROR', [401, 403], 'OPERATOR_REJECTED'],
  ['PAYOUTS_NOT_ALLOWED', [403], 'OPERATOR_REJECTED'],
  ['INVALID_INPUT', [400], 'OPERATOR_REJECTED'],
  ['MISSING_PARAMETER', [400], 'OPERATOR_REJECTED'],
  ['UNSUPPORTED_PARAMETER', [400], 'OPERATOR_REJECTED'],
  ['INVALID_PARAMETER', [400], 'OPERATOR_REJECTED'],
  ['DUPLICATE_METADATA_FIELD', [400], 'OPERATOR_REJECTED'],
  ['AMOUNT_OUT_OF_BOUNDS', [200], 'AMOUNT_REFUSED'],
  ['INVALID_AMOUNT', [200], 'AMOUNT_REFUSED'],
  ['INVALID_PHONE_NUMBER', [200], 'RECIPIENT_NOT_FOUND'],
  ['INVALID_CURRENCY', [200], 'OPERATOR_REJECTED'],
  ['INVALID_PROVIDER', [200], 'OPERATOR_REJECTED'],
  ['PROVIDER_TEMPORARILY_UNAVAILABLE', [200], 'OPERATOR_REJECTED'],
  ['PAWAPAY_WALLET_OUT_OF_FUNDS', [200], 'OPERATOR_FLOAT_INSUFFICIENT'],
];
const FAILURES: readonly (readonly [string, FailureCode])[] = [
  ['RECIPIENT_NOT_FOUND', 'RECIPIENT_NOT_FOUND'],
  ['WALLET_LIMIT_REACHED', 'RECIPIENT_LIMIT_REACHED'],
  ['RECIPIENT_LIMIT_REACHED', 'RECIPIENT_LIMIT_REACHED'],
  ['MANUALLY_CANCELLED', 'OPERATOR_REJECTED'],
  ['PAWAPAY_WALLET_OUT_OF_FUNDS', 'OPERATOR_FLOAT_INSUFFICIENT'],
  ['UNSPECIFIED_FAILURE', 'OPERATOR_REJECTED'],
  ['UNKNOWN_ERROR', 'OPERATOR_REJECTED'],
];
/** The outcome of an initiation that is neither accepted nor refused. */
const unclearKind = (status: number) => (status === 429 ? 'throttled' : 'unknown');
const STATUSES = [200, 201, 202, 400, 401, 403, 404, 409, 429, 500, 502, 503];

it('tests every code of the table', () => {
  const tested = new Set([...REFUSALS, ...FAILURES].map(([code]) => code));
  assert.deepEqual([...PAWAPAY_CODES.keys()].toSorted(), [...tested].toSorted());
});

describe('the answer to an initiation', () => {
  for (const [code, httpStatuses, failure] of REFUSALS) {
    it(`is final for ${code} with its own status, and with no other`, () => {
      for (const status of STATUSES) {
        const outcome = initiation(status, refusal(code, PAYOUT_ID));
        const cause = `HTTP ${status} REJECTED ${code}`;
        if (httpStatuses.includes(status)) {
          assert.deepEqual(outcome, { kind: 'rejected', failure, cause });
        } else {
          assert.equal(outcome.kind, unclearKind(status), `${status}`);
        }
        // Without the word REJECTED it is not a refusal.
        const worded = { ...refusal(code, PAYOUT_ID), status: undefined };
        assert.equal(initiation(status, worded).kind, unclearKind(status));
      }
    });
  }

  it('is no refusal under another id; a request that was not processed is refused without an id', () => {
    assert.equal(initiation(200, refusal('INVALID_AMOUNT', OTHER_ID)).kind, 'unknown');
    assert.equal(initiation(200, refusal('INVALID_AMOUNT')).kind, 'unknown');
    assert.equal(initiation(403, refusal('AUTHENTICATION_ERROR')).kind, 'rejected');
    assert.equal(initiation(403, refusal('AUTHENTICATION_ERROR', OTHER_ID)).kind, 'unknown');
  });

  it('reports that there already is a payout under our id', () => {
    const ignored = (payoutId: string) => ({ payoutId, status: 'DUPLICATE_IGNORED' });
    const cause = 'HTTP 200 DUPLICATE_IGNORED';
    const known = { kind: 'unknown', cause, isDuplicate: true };
    assert.deepEqual(initiation(200, ignored(PAYOUT_ID)), known);
    assert.deepEqual(initiation(200, ignored(OTHER_ID)), { kind: 'unknown', cause });
  });

  it('is unknown for reasons of later failures, and for undocumented codes', () => {
    const later = FAILURES.map(([code]) => code).filter(
      (code) => code !== 'PAWAPAY_WALLET_OUT_OF_FUNDS',
    );
    for (const code of [...later, 'NEW_CODE', 'invalid_amount', '', 'NOT_FOUND', 'INVALID_STATE']) {
      for (const status of STATUSES) {
        assert.equal(initiation(status, refusal(code, PAYOUT_ID)).kind, unclearKind(status), code);
      }
    }
  });
});

const SUBJECT_OF = new Map([
  ['payoutId', 'reference'],
  ['phoneNumber', 'number'],
]);
const subjectOf = (field: string) => SUBJECT_OF.get(field) ?? field;
const nullsToo = (_: string, value: unknown) => value ?? null;

describe('the status of a payout', () => {
  it('is read for every documented word', () => {
    const kinds: Readonly<Record<string, string>> = {
      ACCEPTED: 'pending',
      ENQUEUED: 'pending',
      PROCESSING: 'pending',
      IN_RECONCILIATION: 'pending',
      COMPLETED: 'paid',
      FAILED: 'unknown',
      SUBMITTED: 'unknown',
      completed: 'unknown',
      '': 'unknown',
    };
    for (const [status, kind] of Object.entries(kinds)) {
      assert.equal(found({ ...COMPLETED, status }).kind, kind, status);
      assert.equal(found({ ...COMPLETED, status }, 500).kind, 'unanswered', status);
    }
    assert.ok([...PAWAPAY_STATUSES.keys()].every((word) => word in kinds));
  });

  for (const [failureCode, failure] of FAILURES) {
    it(`failed for ${failureCode}`, () => {
      const failed = { ...COMPLETED, status: 'FAILED', failureReason: { failureCode } };
      const cause = `FAILED ${failureCode}`;
      assert.deepEqual(found(failed), { kind: 'rejected', failure, cause });
    });
  }

  it('failed for a reason that is not in the table is unknown', () => {
    for (const failureCode of ['NEW_CODE', 'INVALID_AMOUNT', undefined, 7]) {
      const failed = { ...COMPLETED, status: 'FAILED', failureReason: { failureCode } };
      assert.equal(found(failed).kind, 'unknown');
    }
  });

  it('is not final if a field differs from what we sent, and names the field, not its value', () => {
    const recipient = (phoneNumber: unknown) => ({
      type: 'MMO',
      accountDetails: { phoneNumber, provider: 'MTN_MOMO_ZMB' },
    });
    const changes: readonly (readonly [string, object])[] = [
      ['payoutId', { payoutId: OTHER_ID }],
      ['amount', { amount: '15.01' }],
      ['amount', { amount: '1500' }],
      ['amount', { amount: '15.001' }],
      ['amount', { amount: undefined }],
      ['currency', { currency: 'NGN' }],
      ['currency', { currency: undefined }],
      ['phoneNumber', { recipient: recipient('260763456780') }],
      ['phoneNumber', { recipient: recipient(undefined) }],
      ['phoneNumber', { recipient: undefined }],
    ];
    for (const [field, change] of changes) {
      for (const status of ['COMPLETED', 'FAILED']) {
        const failureReason = { failureCode: 'RECIPIENT_NOT_FOUND' };
        const outcome = found({ ...COMPLETED, status, failureReason, ...change });
        const isReported = !JSON.stringify(change, nullsToo).includes('null');
        if (isReported && status === 'COMPLETED') {
          assert.deepEqual(outcome.kind === 'mismatched' && outcome.contradicted, [
            subjectOf(field),
          ]);
          assert.doesNotMatch(JSON.stringify(outcome), /[0-9]/);
          continue;
        }
        const cause = `the answer's ${field} is not what it must be`;
        assert.deepEqual(outcome, { kind: 'unknown', cause });
      }
    }
    for (const amount of ['15', '15.0', '15.00', 15, 15.0]) {
      assert.equal(found({ ...COMPLETED, amount }).kind, 'paid');
    }
  });

  it('is paid without an id of the provider, or with one that cannot be stored', () => {
    for (const providerTransactionId of [undefined, '', 'x'.repeat(101), 'é']) {
      const outcome = found({ ...COMPLETED, providerTransactionId });
      assert.deepEqual(outcome, {
        kind: 'paid',
        operatorTransactionId: null,
        confirmed: REPORTED_FIELDS,
      });
    }
  });

  it('is not found only when pawaPay says so with 200', () => {
    const read = (status: number, body: unknown) => readStatus(answered(status, body), ASKED).kind;
    assert.equal(read(200, { status: 'NOT_FOUND' }), 'notFound');
    assert.equal(read(404, { status: 'NOT_FOUND' }), 'unknown');
    assert.equal(read(404, '<html>'), 'unknown');
    assert.equal(read(200, {}), 'unknown');
  });
});

describe('any answer', () => {
  const near = fc.record(
    {
      payoutId: fc.oneof(fc.constantFrom(PAYOUT_ID, OTHER_ID), fc.jsonValue()),
      status: fc.oneof(
        fc.constantFrom('REJECTED', 'DUPLICATE_IGNORED', ...PAWAPAY_STATUSES.keys()),
        fc.jsonValue(),
      ),
      amount: fc.oneof(fc.constantFrom('15', '15.00', '15.01'), fc.jsonValue()),
      currency: fc.constantFrom('ZMW', 'NGN'),
      recipient: fc.constantFrom(COMPLETED.recipient, null),
      failureReason: fc.record({
        failureCode: fc.oneof(fc.constantFrom(...PAWAPAY_CODES.keys()), fc.jsonValue()),
      }),
    },
    { requiredKeys: [] },
  );
  const wrapped = fc.record({ status: fc.constantFrom('FOUND', 'NOT_FOUND'), data: near });
  const bodies = fc.oneof(
    { weight: 3, arbitrary: near.map((body) => JSON.stringify(body)) },
    { weight: 3, arbitrary: wrapped.map((body) => JSON.stringify(body)) },
    fc.json(),
    fc.string(),
    fc.constant('<html>Bad Gateway</html>'),
  );
  const statuses = fc.oneof(fc.constantFrom(...STATUSES), fc.integer({ min: 100, max: 599 }));

  it('ends a payout only in a documented form', () => {
    fc.assert(
      fc.property(statuses, bodies, (status, text) => {
        const { kind } = initiation(status, text);
        assert.ok(['rejected', 'pending', 'unknown', 'throttled', 'mismatched'].includes(kind));
        if (kind !== 'rejected') return;
        const body = JSON.parse(text);
        const row = REFUSALS.find(([code]) => code === body.failureReason.failureCode);
        assert.equal(body.status, 'REJECTED');
        assert.ok(row?.[1].includes(status));
        const named = body.payoutId ?? null;
        assert.ok(named === PAYOUT_ID || (status !== 200 && named === null));
      }),
      { numRuns: 3_000 },
    );
  });

  it('ends a doubt only in a documented form', () => {
    fc.assert(
      fc.property(statuses, bodies, (status, text) => {
        const { kind } = readStatus(answered(status, text), ASKED);
        const ends = ['paid', 'rejected', 'notFound'];
        const others = ['mismatched', 'pending', 'unknown', 'unanswered'];
        assert.ok([...ends, ...others].includes(kind));
        if (kind !== 'rejected' && kind !== 'paid') return;
        const { status: word, data } = JSON.parse(text);
        assert.deepEqual([status, word, data.payoutId], [200, 'FOUND', PAYOUT_ID]);
        assert.equal(Number(data.amount), 15);
        assert.equal(data.currency, 'ZMW');
        assert.deepEqual(data.recipient, COMPLETED.recipient);
        assert.equal(data.status, kind === 'paid' ? 'COMPLETED' : 'FAILED');
        const codes: unknown[] = FAILURES.map(([code]) => code);
        if (kind === 'rejected') assert.ok(codes.includes(data.failureReason.failureCode));
      }),
      { numRuns: 3_000 },
    );
  });

  it('to a cancellation is never the end of a payout', () => {
    fc.assert(
      fc.property(statuses, bodies, (status, text) => {
        const { kind } = readCancellation(answered(status, text), PAYOUT);
        assert.ok(kind === 'pending' || kind === 'unknown');
      }),
    );
  });
});
