import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { answered } from '../../../test/airtel/written-answer.ts';
import { somePayout } from '../../../test/fakes/fake-airtel.ts';
import type { Outcome } from '../../domain/outcome.ts';
import type { Payout } from '../contract/connector.ts';
import type { Answered } from './answers.ts';
import { AIRTEL_CODES, entryOf } from './codes.ts';
import { toAirtelId } from './formats.ts';
import { judgeAnswer } from './judge-answer.ts';
import { outcomeOf } from './outcome-of.ts';

/** The table once more: the outcome of a submission that is answered with the code and TF. */
const EXPECTED: Readonly<Record<string, string>> = {
  DP00900001000: 'unknown',
  DP00900001001: 'unknown',
  DP00900001003: 'RECIPIENT_LIMIT_REACHED',
  DP00900001004: 'AMOUNT_REFUSED',
  DP00900001005: 'OPERATOR_REJECTED',
  DP00900001006: 'unknown',
  DP00900001007: 'OPERATOR_FLOAT_INSUFFICIENT',
  DP00900001009: 'RECIPIENT_NOT_FOUND',
  DP00900001010: 'OPERATOR_REJECTED',
  DP00900001011: 'unknown',
  DP00900001012: 'RECIPIENT_NOT_FOUND',
  DP00900001013: 'OPERATOR_REJECTED',
  DP00900001014: 'unknown',
  DP00900001015: 'unknown',
  DP00900001016: 'OPERATOR_REJECTED',
  DP00900001017: 'unknown',
  DP00900001018: 'OPERATOR_REJECTED',
  DP00900001019: 'OPERATOR_REJECTED',
  DP02200000000: 'unknown',
  DP02200000001: 'unknown',
  DP02200000002: 'RECIPIENT_NOT_FOUND',
  DP02100000000: 'unknown',
  DP02100000001: 'unknown',
  DP02100000002: 'unknown',
  DP02010001000: 'unknown',
  DP02010001001: 'unknown',
  ROUTER001: 'OPERATOR_REJECTED',
  ROUTER003: 'OPERATOR_REJECTED',
  ROUTER005: 'OPERATOR_REJECTED',
  ROUTER006: 'OPERATOR_REJECTED',
  ROUTER007: 'OPERATOR_REJECTED',
  ROUTER112: 'OPERATOR_REJECTED',
  ROUTER114: 'OPERATOR_REJECTED',
  ROUTER115: 'OPERATOR_REJECTED',
  ROUTER116: 'OPERATOR_REJECTED',
  ROUTER117: 'unknown',
  ROUTER119: 'OPERATOR_REJECTED',
  ESB000001: 'unknown',
  ESB000004: 'unknown',
  ESB000008: 'unknown',
  ESB000010: 'unknown',
  ESB000011: 'unknown',
  ESB000014: 'unknown',
  ESB000033: 'unknown',
  ESB000034: 'unknown',
  ESB000035: 'unknown',
  ESB000036: 'unknown',
  ESB000039: 'unknown',
};

const OPTIONS = { readsTexts: true, statusDecidesInquiry: false } as const;

function outcomeAfter(purpose: 'submit' | 'inquire', write: (payout: Payout) => Answered): Outcome {
  const payout = somePayout();
  const verdict = judgeAnswer(write(payout), payout, { ...OPTIONS, purpose });
  return outcomeOf(verdict, payout, payout.createdAt);
}

function word(outcome: Outcome): string {
  return outcome.kind === 'rejected' ? outcome.failure : outcome.kind;
}

function withStatus(code: string, status: string | undefined, success: boolean) {
  return ({ operatorReference }: Payout): Answered =>
    answered(200, {
      data: { transaction: { id: toAirtelId(operatorReference), status } },
      status: { response_code: code, code: '200', success, message: '…' },
    });
}

describe('the codes of Airtel', () => {
  it('are all in the table, and nothing else is', () => {
    assert.deepEqual([...AIRTEL_CODES.keys()].sort(), Object.keys(EXPECTED).sort());
  });

  for (const [code, expected] of Object.entries(EXPECTED)) {
    it(`${code} with TF: ${expected}, from a submission and from an inquiry`, () => {
      assert.equal(word(outcomeAfter('submit', withStatus(code, 'TF', false))), expected);
      const asked = word(outcomeAfter('inquire', withStatus(code, 'TF', false)));
      assert.equal(asked, code === 'DP00900001015' ? 'notFound' : expected);
    });

    it(`${code} without a payout in the answer refuses a submission, never an inquiry`, () => {
      const submitted = word(outcomeAfter('submit', withStatus(code, undefined, false)));
      assert.equal(submitted, code === 'DP00900001006' ? 'pending' : expected);
      const asked = outcomeAfter('inquire', withStatus(code, undefined, false));
      assert.equal(asked.kind, code === 'DP00900001015' ? 'notFound' : 'unknown');
    });

    it(`${code} in the gateway's form refuses only if it is the gateway's code`, () => {
      const flat = { error: 'x', error_description: 'y', status_code: code, status_message: 'z' };
      const submitted = word(outcomeAfter('submit', () => answered(400, flat)));
      assert.equal(submitted, code.startsWith('ROUTER') ? expected : 'unknown');
      assert.equal(outcomeAfter('submit', () => answered(200, flat)).kind, 'unknown');
      assert.equal(outcomeAfter('inquire', () => answered(400, flat)).kind, 'unknown');
    });

    it(`${code} with TS is paid only where it means success`, () => {
      const isSuccess = code === 'DP00900001001' || code === 'ESB000010';
      for (const purpose of ['submit', 'inquire'] as const) {
        const outcome = outcomeAfter(purpose, withStatus(code, 'TS', true));
        assert.equal(outcome.kind, isSuccess ? 'paid' : 'unknown');
      }
    });
  }

  it('that are not listed mean doubt, with any name', () => {
    const listed = fc.string().filter((code) => !AIRTEL_CODES.has(code));
    const tricky = fc.constantFrom('constructor', '__proto__', 'toString', 'DP00900001008', '');
    fc.assert(
      fc.property(fc.oneof(listed, tricky), (code) => {
        assert.equal(entryOf(code).meaning.kind, 'doubt');
        for (const status of ['TF', 'TS', 'TIP', 'TA', 'TE', undefined]) {
          for (const success of [true, false]) {
            const outcome = outcomeAfter('submit', withStatus(code, status, success));
            assert.equal(outcome.kind, 'unknown');
          }
        }
      }),
    );
  });
});
