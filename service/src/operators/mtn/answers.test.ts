import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { REFERENCE, PAYOUT as SCRIPTED_PAYOUT } from '../../../test/fakes/fake-mtn.ts';
import { type Outcome, REPORTED_FIELDS, type ReportedField } from '../../domain/outcome.ts';
import { readExactJson } from '../wire/exact-json.ts';
import { balanceAnswer, inquiryOutcome, submissionOutcome } from './answers.ts';
import type { MtnAnswer } from './call.ts';

const PAYOUT = { ...SCRIPTED_PAYOUT, amountMinor: 15_000n };
const RECORD = { request: '', httpStatus: null, answer: '', elapsedMs: 0 };
const WANTED = { payout: PAYOUT, currency: 'ZMW', inquireAgainInMs: 7_000 };

function answered(status: number, body: unknown): MtnAnswer {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { kind: 'answered', status, headers: {}, text, json: readExactJson(text), record: RECORD };
}

const submitted = (status: number, body: unknown): Outcome =>
  submissionOutcome(answered(status, body), 2_000);
const inquired = (status: number, body: unknown): Outcome =>
  inquiryOutcome(answered(status, body), WANTED);

const SUCCESS = {
  amount: '150.00',
  currency: 'ZMW',
  financialTransactionId: '363440463',
  externalId: REFERENCE,
  payee: { partyIdType: 'MSISDN', partyId: '260966123456' },
  status: 'SUCCESSFUL',
};
const failed = (reason: unknown): unknown => ({ ...SUCCESS, status: 'FAILED', reason });

describe('the answer to a submission', () => {
  it('is "accepted" if it is 202', () => {
    assert.deepEqual(submitted(202, ''), { kind: 'pending', inquireInMs: 2_000 });
    assert.deepEqual(submitted(202, {}), { kind: 'pending', inquireInMs: 2_000 });
  });

  it('is a refusal if a permanent error has a documented code, but never with HTTP 500', () => {
    assert.deepEqual(submitted(400, { code: 'PAYEE_NOT_FOUND', message: 'x' }), {
      kind: 'rejected',
      failure: 'RECIPIENT_NOT_FOUND',
      cause: 'MTN refused it: PAYEE_NOT_FOUND',
    });
    const refusals = [
      [400, 'VALIDATION_ERROR', 'AMOUNT_REFUSED'],
      [403, 'FORBIDDEN IP', 'OPERATOR_REJECTED'],
      [400, 'NOT_ENOUGH_FUNDS', 'OPERATOR_FLOAT_INSUFFICIENT'],
      [403, 'INVALID_CURRENCY', 'OPERATOR_REJECTED'],
    ] as const;
    for (const [status, code, failure] of refusals) {
      const outcome = submitted(status, { code, message: '' });
      assert.equal(outcome.kind === 'rejected' && outcome.failure, failure, code);
      assert.equal(submitted(500, { code, message: '' }).kind, 'unknown', code);
    }
  });

  it('proves nothing if it is anything else', () => {
    const unclear: readonly (readonly [number, unknown])[] = [
      [202, '<html></html>'],
      [202, { code: 'PAYEE_NOT_FOUND', message: 'x' }],
      [200, ''],
      [200, SUCCESS],
      [204, ''],
      [302, ''],
      [400, ''],
      [400, { statusCode: 400, message: 'Bad request' }],
      [401, { statusCode: 401, message: 'Access denied' }],
      [403, 'FORBIDDEN IP'],
      [404, { code: 'RESOURCE_NOT_FOUND', message: 'x' }],
      [409, { code: 'RESOURCE_ALREADY_EXIST', message: 'Duplicated reference id.' }],
      [500, { code: 'INTERNAL_PROCESSING_ERROR', message: 'x' }],
      [500, { code: 'SOMETHING_NEW', message: 'x' }],
      [500, { code: 'PAYEE_NOT_FOUND' }],
      [500, { code: ['PAYEE_NOT_FOUND'], message: 'x' }],
      [500, { error: { code: 'PAYEE_NOT_FOUND', message: 'x' } }],
      [500, [{ code: 'PAYEE_NOT_FOUND', message: 'x' }]],
      [500, 'PAYEE_NOT_FOUND'],
      [502, '<html>Bad gateway</html>'],
      [503, { code: 'SERVICE_UNAVAILABLE', message: 'x' }],
    ];
    for (const [status, body] of unclear) {
      assert.equal(submitted(status, body).kind, 'unknown', JSON.stringify([status, body]));
    }
  });

  it('reports that MTN already has a transfer under our reference', () => {
    const body = { code: 'RESOURCE_ALREADY_EXIST', message: 'Duplicated reference id.' };
    const cause = 'HTTP 409 RESOURCE_ALREADY_EXIST';
    assert.deepEqual(submitted(409, body), { kind: 'unknown', cause, isDuplicate: true });
    assert.deepEqual(submitted(500, body), {
      kind: 'unknown',
      cause: 'HTTP 500 RESOURCE_ALREADY_EXIST',
    });
  });

  it('is "not sent" only if no connection was made or there is no token', () => {
    const notSent = { kind: 'notSent', cause: 'ECONNREFUSED', retryInMs: 5_000 };
    const unsent: MtnAnswer = { kind: 'notSent', cause: 'ECONNREFUSED', record: RECORD };
    assert.deepEqual(submissionOutcome(unsent, 1), notSent);
    assert.deepEqual(submissionOutcome({ kind: 'noToken', cause: 'ECONNREFUSED' }, 1), notSent);
    const lost: MtnAnswer = { kind: 'lost', cause: 'ECONNRESET', record: RECORD };
    assert.deepEqual(submissionOutcome(lost, 1), { kind: 'unknown', cause: 'ECONNRESET' });
  });
});

describe('the answer to an inquiry', () => {
  it('is "paid" if every field equals what was sent', () => {
    const paid: Outcome = {
      kind: 'paid',
      operatorTransactionId: '363440463',
      confirmed: REPORTED_FIELDS,
    };
    assert.deepEqual(inquired(200, SUCCESS), paid);
    const unquoted = { ...SUCCESS, payee: { partyIdType: 'msisdn', partyId: 260966123456 } };
    for (const amount of [150, '150', '150.0', '150.00']) {
      assert.deepEqual(
        inquired(200, { ...unquoted, amount, financialTransactionId: 363440463 }),
        paid,
      );
    }
    assert.deepEqual(inquired(200, JSON.stringify(SUCCESS).replace('"150.00"', '150.0')), paid);
    const { financialTransactionId: _, ...nameless } = SUCCESS;
    assert.deepEqual(inquired(200, nameless), {
      kind: 'paid',
      operatorTransactionId: null,
      confirmed: REPORTED_FIELDS,
    });
  });

  const STRANGE: readonly (readonly [string, ReportedField, object])[] = [
    ['amount', 'amount', { amount: '150.01' }],
    ['currency', 'currency', { currency: 'EUR' }],
    ['externalId', 'reference', { externalId: '7c9b7a46-2a6f-4f7f-9d0b-1e1d5b0b7a11' }],
    ['payee.partyId', 'number', { payee: { partyIdType: 'MSISDN', partyId: '260966123457' } }],
    ['payee.partyIdType', 'number', { payee: { partyIdType: 'EMAIL', partyId: '260966123456' } }],
  ];

  for (const [field, subject, change] of STRANGE) {
    it(`is a contradiction if its ${field} differs, and proves no failure either`, () => {
      const body = { ...SUCCESS, ...change };
      const said = `SUCCESSFUL with another ${field}`;
      const another: Outcome = { kind: 'mismatched', contradicted: [subject], cause: said };
      assert.deepEqual(inquired(200, body), another);
      const cause = `the answer's ${field} is not what was sent`;
      const lost = { ...body, status: 'FAILED', reason: 'PAYEE_NOT_FOUND' };
      assert.deepEqual(inquired(200, lost), { kind: 'unknown', cause });
    });
  }

  it('proves no payment if it leaves out a field that was sent', () => {
    for (const field of ['amount', 'currency', 'externalId', 'payee']) {
      for (const value of [undefined, null, {}, []]) {
        const { kind } = inquired(200, { ...SUCCESS, [field]: value });
        const isReported = value !== undefined && value !== null && field !== 'payee';
        assert.equal(kind, isReported ? 'mismatched' : 'unknown', field);
      }
    }
  });

  it('is a failure if the status says so, with the reason as an object or a text', () => {
    for (const reason of ['PAYEE_NOT_FOUND', { code: 'PAYEE_NOT_FOUND', message: 'x' }]) {
      assert.deepEqual(inquired(200, failed(reason)), {
        kind: 'rejected',
        failure: 'RECIPIENT_NOT_FOUND',
        cause: 'MTN says it failed: PAYEE_NOT_FOUND',
      });
    }
    const broken = inquired(200, failed('INTERNAL_PROCESSING_ERROR'));
    assert.equal(broken.kind === 'rejected' && broken.failure, 'OPERATOR_REJECTED');
    const silent = inquired(200, { status: 'FAILED' });
    assert.equal(silent.kind === 'rejected' && silent.failure, 'OPERATOR_REJECTED');
  });

  it('proves nothing if the reason is unknown', () => {
    for (const reason of ['NEW', { code: 'NEW' }, {}, [], true, 7, 'RESOURCE_ALREADY_EXIST']) {
      assert.equal(inquired(200, failed(reason)).kind, 'unknown', JSON.stringify(reason));
    }
  });

  it('is "accepted" while it is pending', () => {
    assert.deepEqual(inquired(200, { ...SUCCESS, status: 'PENDING' }), {
      kind: 'pending',
      inquireInMs: 7_000,
    });
  });

  it('is "not found" only with the code that MTN documents', () => {
    const words = { code: 'RESOURCE_NOT_FOUND', message: 'Requested resource was not found.' };
    assert.deepEqual(inquired(404, words), { kind: 'notFound' });
    assert.equal(inquired(404, { statusCode: 404, message: 'Resource not found' }).kind, 'unknown');
    assert.equal(inquired(404, '<html>Not Found</html>').kind, 'unknown');
    assert.equal(inquired(500, words).kind, 'unanswered');
  });

  it('proves nothing about the payout if the inquiry did not get through', () => {
    const unsent: MtnAnswer = { kind: 'notSent', cause: 'ECONNREFUSED', record: RECORD };
    assert.equal(inquiryOutcome(unsent, WANTED).kind, 'unanswered');
    assert.equal(inquiryOutcome({ kind: 'noToken', cause: 'x' }, WANTED).kind, 'unanswered');
    assert.equal(inquired(500, { code: 'PAYEE_NOT_FOUND', message: 'x' }).kind, 'unanswered');
    assert.equal(inquired(401, '').kind, 'unanswered');
  });
});

describe('the balance', () => {
  it('is read exactly, also if it is zero', () => {
    const balance = (availableBalance: unknown): unknown =>
      balanceAnswer(answered(200, { availableBalance, currency: 'ZMW' }), 'ZMW');
    assert.deepEqual(balance('1000'), { kind: 'known', availableMinor: 100_000n, currency: 'ZMW' });
    assert.deepEqual(balance(0), { kind: 'known', availableMinor: 0n, currency: 'ZMW' });
    assert.deepEqual(balance('-0.5'), { kind: 'known', availableMinor: -50n, currency: 'ZMW' });
  });

  it('is unreachable after any other answer', () => {
    for (const [httpStatus, body] of [
      [200, {}],
      [200, { availableBalance: 'much', currency: 'ZMW' }],
      [200, { availableBalance: '1', currency: 'NGN' }],
      [500, { availableBalance: '1', currency: 'ZMW' }],
      [200, '<html>'],
    ] as const) {
      assert.equal(balanceAnswer(answered(httpStatus, body), 'ZMW').kind, 'unreachable');
    }
    assert.equal(balanceAnswer({ kind: 'noToken', cause: 'HTTP 401' }, 'ZMW').kind, 'unreachable');
  });
});
