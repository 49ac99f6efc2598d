import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import type { Outcome } from '../domain/outcome.ts';
import { judgeAnswer } from './airtel/judge-answer.ts';
import { outcomeOf } from './airtel/outcome-of.ts';
import { inquiryOutcome, submissionOutcome } from './mtn/answers.ts';
import { readInitiation, readStatus as readPawapayStatus } from './pawapay/answers.ts';
import { readSubmission, readStatus as readVodacomStatus } from './vodacom/answers.ts';
import { toConversationId } from './vodacom/references.ts';
import { readExactJson } from './wire/exact-json.ts';
import type { WireAnswer } from './wire/operator-wire.ts';
import { payoutOutcome } from './zamtel/answers.ts';

const REFERENCE = '7c9b7a46-2a6f-4f7f-9d0b-1e1d5b0b7a10';
const ID = REFERENCE.replaceAll('-', '');
const PAYOUT = {
  operatorReference: REFERENCE,
  phone: '+260966123456',
  operator: 'mtn',
  country: 'zm',
  currency: 'ZMW',
  amountMinor: 15_000n,
  narration: null,
  createdAt: new Date(0),
} as const;
const NOW = new Date(1_000);

type Answered = WireAnswer & { kind: 'answered' };
type Reading = Readonly<{
  name: string;
  asks: boolean;
  read: (answer: Answered) => Outcome;
  /** A refusal as this operator writes it; with its own status it ends the payout. */
  refusal: unknown;
  status: number;
}>;

const AIRTEL = { readsTexts: true, statusDecidesInquiry: true };
const airtel = (purpose: 'submit' | 'inquire') => (answer: Answered) =>
  outcomeOf(judgeAnswer(answer, PAYOUT, { ...AIRTEL, purpose }), PAYOUT, NOW);
const AIRTEL_REFUSAL = {
  data: { transaction: { id: ID, status: 'TF' } },
  status: { response_code: 'DP00900001007', success: false, message: 'Insufficient funds' },
};
const CONVERSATION_ID = toConversationId(REFERENCE);
const VODACOM = {
  payout: PAYOUT,
  flow: 'sync',
  ageMs: 0,
  conversationId: 'query',
  again: false,
  trustsDuplicates: false,
} as const;
const PAWAPAY = { payout: PAYOUT, ageMs: 0 };
const MTN = { payout: PAYOUT, currency: 'ZMW', inquireAgainInMs: 1 };

/** Every function that reads an answer about a payout. A new connector adds a line. */
const READINGS: readonly Reading[] = [
  {
    name: 'an Airtel submission',
    asks: false,
    read: airtel('submit'),
    refusal: AIRTEL_REFUSAL,
    status: 400,
  },
  {
    name: 'an Airtel inquiry',
    asks: true,
    read: airtel('inquire'),
    refusal: AIRTEL_REFUSAL,
    status: 200,
  },
  {
    name: 'an MTN submission',
    asks: false,
    read: (answer) => submissionOutcome(answer, 1),
    refusal: { code: 'PAYEE_NOT_FOUND', message: 'Payee does not exist' },
    status: 400,
  },
  {
    name: 'an MTN inquiry',
    asks: true,
    read: (answer) => inquiryOutcome(answer, MTN),
    refusal: { status: 'FAILED', reason: 'PAYEE_NOT_FOUND' },
    status: 200,
  },
  {
    name: 'a Vodacom submission',
    asks: false,
    read: (answer) => readSubmission(answer, VODACOM),
    refusal: { output_ResponseCode: 'INS-2006' },
    status: 422,
  },
  {
    name: 'a Vodacom inquiry',
    asks: true,
    read: (answer) => readVodacomStatus(answer, VODACOM),
    refusal: {
      output_ResponseCode: 'INS-0',
      output_ThirdPartyConversationID: CONVERSATION_ID,
      output_ResponseTransactionStatus: 'Failed',
    },
    status: 200,
  },
  {
    name: 'a pawaPay initiation',
    asks: false,
    read: (answer) => readInitiation(answer, PAWAPAY),
    refusal: { status: 'REJECTED', failureReason: { failureCode: 'INVALID_PARAMETER' } },
    status: 400,
  },
  {
    name: 'a pawaPay status',
    asks: true,
    read: (answer) => readPawapayStatus(answer, PAWAPAY),
    refusal: {
      status: 'FOUND',
      data: {
        payoutId: REFERENCE,
        status: 'FAILED',
        amount: '150',
        currency: 'ZMW',
        recipient: { accountDetails: { phoneNumber: '260966123456' } },
        failureReason: { failureCode: 'RECIPIENT_NOT_FOUND' },
      },
    },
    status: 200,
  },
  {
    name: 'a Zamtel payout',
    asks: false,
    read: (answer) => payoutOutcome(answer, PAYOUT, { successNeedsTransactionId: true }),
    refusal: { status: '2006', message: 'Balance insufficient' },
    status: 200,
  },
];

function answered(status: number, text: string, retryInMs?: number): Answered {
  const record = { request: '', httpStatus: status, answer: text, elapsedMs: 0 };
  const retry = retryInMs === undefined ? {} : { retryInMs };
  return {
    kind: 'answered',
    status,
    headers: {},
    text,
    json: readExactJson(text),
    record,
    ...retry,
  };
}

describe('a status of 5xx', () => {
  const serverErrors = fc.integer({ min: 500, max: 599 });
  for (const { name, asks, read, refusal, status } of READINGS) {
    it(`proves nothing in the answer to ${name}, with any body`, () => {
      const text = JSON.stringify(refusal);
      assert.equal(read(answered(status, text)).kind, 'rejected', 'the body must be a refusal');
      fc.assert(
        fc.property(serverErrors, fc.oneof(fc.constant(text), fc.json()), (httpStatus, body) => {
          assert.equal(read(answered(httpStatus, body)).kind, asks ? 'unanswered' : 'unknown');
        }),
      );
    });
  }
});

describe('an operator that throttles', () => {
  for (const { name, asks, read, refusal } of READINGS) {
    const kind = asks ? 'unanswered' : 'throttled';
    const seen = (answer: Answered) => {
      const outcome = read(answer);
      return 'retryInMs' in outcome ? [outcome.kind, outcome.retryInMs] : [outcome.kind];
    };
    it(`is recognised in its answer to ${name}, with its Retry-After`, () => {
      for (const body of ['', '<html></html>', '{}', JSON.stringify(refusal)]) {
        assert.deepEqual(seen(answered(429, body)), [kind, null], body);
        assert.deepEqual(seen(answered(429, body, 3_000)), [kind, 3_000], body);
        assert.deepEqual(seen(answered(503, body, 3_000)), [kind, 3_000], body);
        assert.deepEqual(
          seen(answered(503, body)),
          asks ? ['unanswered', null] : ['unknown'],
          'a server that failed may have accepted it',
        );
      }
    });
  }
});

describe('credentials that are refused', () => {
  for (const { name, read } of READINGS.filter(({ asks }) => asks)) {
    it(`prove nothing about the payout in the answer to ${name}`, () => {
      for (const status of [401, 403]) {
        assert.equal(read(answered(status, '{}')).kind, 'unanswered');
        assert.equal(read(answered(status, '')).kind, 'unanswered');
      }
    });
  }
});
