import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { REFERENCE, PAYOUT as SCRIPTED_PAYOUT } from '../../../test/fakes/fake-mtn.ts';
import type { Outcome } from '../../domain/outcome.ts';
import { readExactJson } from '../wire/exact-json.ts';
import { inquiryOutcome, submissionOutcome } from './answers.ts';
import type { MtnAnswer } from './call.ts';

const PAYOUT = { ...SCRIPTED_PAYOUT, amountMinor: 15_000n };
const RECORD = { request: '', httpStatus: null, answer: '', elapsedMs: 0 };
const WANTED = { payout: PAYOUT, currency: 'ZMW', inquireAgainInMs: 7_000 };

function answered(status: number, text: string): MtnAnswer {
  return { kind: 'answered', status, headers: {}, text, json: readExactJson(text), record: RECORD };
}

const submitted = (status: number, body: string): Outcome =>
  submissionOutcome(answered(status, body), 2_000);
const inquired = (status: number, body: string): Outcome =>
  inquiryOutcome(answered(status, body), WANTED);

describe('any answer at all', () => {
  const CODES = ['PAYEE_NOT_FOUND', 'NOT_ENOUGH_FUNDS', 'EXPIRED', 'SERVICE_UNAVAILABLE', 'NEW'];
  const DEFINITE = ['PAYEE_NOT_FOUND', 'NOT_ENOUGH_FUNDS'];
  const code = fc.constantFrom<unknown>(...CODES, 'RESOURCE_NOT_FOUND', null, 1);
  const reason = fc.oneof(code, fc.record({ code, message: fc.string() }), fc.constant(undefined));
  /** Mostly right values: otherwise five fields would hardly ever be right together. */
  const mostly = (right: unknown, ...wrong: readonly unknown[]): fc.Arbitrary<unknown> =>
    fc.oneof({ weight: 12, arbitrary: fc.constant(right) }, fc.constantFrom(...wrong));
  const near = fc.record(
    {
      code,
      message: mostly('text', null),
      status: fc.constantFrom('SUCCESSFUL', 'FAILED', 'PENDING', 'successful', 'REJECTED'),
      reason,
      amount: mostly('150.00', 150, '150', '1.5e2', '15000', '150.001', null),
      currency: mostly('ZMW', 'NGN', 'zmw'),
      externalId: mostly(REFERENCE, REFERENCE.toUpperCase(), 'other'),
      payee: fc.record({
        partyIdType: mostly('MSISDN', 'EMAIL'),
        partyId: mostly('260966123456', 260966123456, '966123456'),
      }),
    },
    { requiredKeys: ['status', 'amount', 'currency', 'externalId', 'payee'] },
  );
  const body = fc.oneof(
    { weight: 6, arbitrary: near.map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: near.map((value) => JSON.stringify([value])) },
    { weight: 1, arbitrary: fc.json() },
    { weight: 1, arbitrary: fc.string() },
  );
  const status = fc.oneof(
    fc.constantFrom(200, 200, 200, 202, 400, 403, 404, 500),
    fc.integer({ min: 100, max: 999 }),
  );

  function parsed(text: string): Record<string, unknown> {
    try {
      const value: unknown = JSON.parse(text);
      return typeof value === 'object' && value !== null && !Array.isArray(value)
        ? (value as Record<string, unknown>)
        : {};
    } catch {
      return {};
    }
  }

  it('is a refusal of a submission only in the documented form, and never a payment', () => {
    const seen = new Map<string, number>();
    fc.assert(
      fc.property(status, body, (httpStatus, text) => {
        const outcome = submitted(httpStatus, text);
        seen.set(outcome.kind, (seen.get(outcome.kind) ?? 0) + 1);
        assert.ok(['pending', 'rejected', 'unknown', 'throttled'].includes(outcome.kind));
        if (outcome.kind === 'throttled') assert.equal(httpStatus, 429);
        const { code, message } = parsed(text);
        const isDocumented =
          [400, 403].includes(httpStatus) &&
          DEFINITE.includes(String(code)) &&
          typeof message === 'string';
        assert.equal(outcome.kind === 'rejected', isDocumented);
        if (outcome.kind === 'pending') assert.equal(httpStatus, 202);
      }),
      { numRuns: 3_000 },
    );
    assert.ok((seen.get('rejected') ?? 0) > 10, 'the generator must produce refusals');
  });

  it('ends a transfer by an inquiry only in the documented form', () => {
    const seen = new Map<string, number>();
    fc.assert(
      fc.property(status, body, (httpStatus, text) => {
        const outcome = inquired(httpStatus, text);
        seen.set(outcome.kind, (seen.get(outcome.kind) ?? 0) + 1);
        const body = parsed(text);
        const payee = (body['payee'] ?? {}) as Record<string, unknown>;
        const isOurs =
          ['150.00', '150'].includes(String(body['amount'])) &&
          body['currency'] === 'ZMW' &&
          String(body['externalId']).toLowerCase() === REFERENCE &&
          payee['partyIdType'] === 'MSISDN' &&
          String(payee['partyId']) === '260966123456';
        if (outcome.kind === 'paid') {
          assert.ok(isOurs && httpStatus === 200 && body['status'] === 'SUCCESSFUL');
        }
        if (outcome.kind === 'rejected') {
          assert.ok(httpStatus === 200 && body['status'] === 'FAILED');
          assert.doesNotMatch(JSON.stringify(body['reason'] ?? ''), /NEW/);
        }
        if (outcome.kind === 'notFound') assert.equal(httpStatus, 404);
        assert.ok(!['notSent', 'returned'].includes(outcome.kind));
      }),
      { numRuns: 5_000 },
    );
    for (const kind of ['paid', 'rejected', 'pending', 'unknown', 'unanswered']) {
      assert.ok((seen.get(kind) ?? 0) > 10, `the generator must produce ${kind}`);
    }
  });
});
