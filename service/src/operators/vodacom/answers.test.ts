import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import {
  COMPLETED_ANSWER,
  CONVERSATION_ID,
  PAID_ANSWER,
  PAYOUT,
} from '../../../test/fakes/fake-vodacom.ts';
import type { FailureCode } from '../../domain/outcome.ts';
import { readExactJson } from '../wire/exact-json.ts';
import type { WireAnswer } from '../wire/operator-wire.ts';
import { readReversal, readStatus, readSubmission } from './answers.ts';
import { VODACOM_CODES, VODACOM_STATUSES } from './codes.ts';

const QUERY_ID = '11111111222243338444555555555555';
const SUBMITTED = {
  payout: PAYOUT,
  flow: 'sync',
  ageMs: 0,
  again: false,
  trustsDuplicates: false,
} as const;
const ASKED = { payout: PAYOUT, conversationId: QUERY_ID, ageMs: 0 };

function answered(status: number, body: unknown): WireAnswer & { kind: 'answered' } {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const record = { request: '', httpStatus: status, answer: '', elapsedMs: 0 };
  return { kind: 'answered', status, headers: {}, text, json: readExactJson(text), record };
}

const submission = (status: number, body: unknown) =>
  readSubmission(answered(status, body), SUBMITTED);
const status = (httpStatus: number, body: unknown) => readStatus(answered(httpStatus, body), ASKED);

/** Copied by hand from the documentation: the code, its HTTP status, and the failure that the merchant gets. */
const REFUSALS: readonly (readonly [string, number, FailureCode])[] = [
  ['INS-2', 401, 'OPERATOR_REJECTED'],
  ['INS-6', 401, 'OPERATOR_REJECTED'],
  ['INS-13', 400, 'OPERATOR_REJECTED'],
  ['INS-15', 400, 'AMOUNT_REFUSED'],
  ['INS-17', 400, 'OPERATOR_REJECTED'],
  ['INS-20', 400, 'OPERATOR_REJECTED'],
  ['INS-21', 400, 'OPERATOR_REJECTED'],
  ['INS-24', 400, 'OPERATOR_REJECTED'],
  ['INS-25', 400, 'OPERATOR_REJECTED'],
  ['INS-26', 400, 'OPERATOR_REJECTED'],
  ['INS-28', 400, 'OPERATOR_REJECTED'],
  ['INS-31', 400, 'OPERATOR_REJECTED'],
  ['INS-989', 400, 'OPERATOR_REJECTED'],
  ['INS-990', 400, 'RECIPIENT_LIMIT_REACHED'],
  ['INS-991', 400, 'RECIPIENT_LIMIT_REACHED'],
  ['INS-992', 400, 'RECIPIENT_LIMIT_REACHED'],
  ['INS-993', 400, 'OPERATOR_REJECTED'],
  ['INS-994', 400, 'OPERATOR_REJECTED'],
  ['INS-995', 400, 'AMOUNT_REFUSED'],
  ['INS-996', 400, 'OPERATOR_REJECTED'],
  ['INS-997', 400, 'OPERATOR_REJECTED'],
  ['INS-998', 400, 'OPERATOR_REJECTED'],
  ['INS-2001', 401, 'OPERATOR_REJECTED'],
  ['INS-2002', 400, 'RECIPIENT_NOT_FOUND'],
  ['INS-2006', 422, 'OPERATOR_FLOAT_INSUFFICIENT'],
  ['INS-2051', 400, 'RECIPIENT_NOT_FOUND'],
];
const DOUBTS = [
  '1',
  '4',
  '5',
  '9',
  '10',
  '14',
  '16',
  '18',
  '19',
  '22',
  '23',
  '30',
  '35',
  '2057',
].map((number) => `INS-${number}`);
const REFUSAL_STATUSES: ReadonlyMap<string, readonly number[]> = new Map(
  REFUSALS.map(([code, httpStatus]) => {
    const undocumented = ['INS-2', 'INS-24', 'INS-25', 'INS-2001', 'INS-2002'].includes(code);
    return [code, undocumented ? [400, 401, 403, 422] : [httpStatus]];
  }),
);

describe('the answer to a payout', () => {
  it('is tested for every code of the table', () => {
    const tested = ['INS-0', ...DOUBTS, ...REFUSALS.map(([code]) => code)];
    assert.deepEqual([...VODACOM_CODES.keys()].toSorted(), tested.toSorted());
  });

  for (const [code, httpStatus, failure] of REFUSALS) {
    it(`is final for ${code} with HTTP ${httpStatus}, and with no other kind of status`, () => {
      const body = { output_ResponseCode: code, output_ResponseDesc: 'No' };
      const cause = `HTTP ${httpStatus} ${code}`;
      assert.deepEqual(submission(httpStatus, body), { kind: 'rejected', failure, cause });
      for (const other of [200, 201, 408, 409, 500, 502, 503]) {
        assert.equal(submission(other, body).kind, 'unknown');
      }
      assert.equal(submission(429, body).kind, 'throttled');
    });
  }

  it('is unknown for codes that may follow a payout, and for undocumented codes', () => {
    for (const code of [...DOUBTS, 'INS-77', 'ins-6', 'INS-6 ', '', '6']) {
      for (const httpStatus of [200, 201, 400, 401, 408, 409, 422, 500]) {
        assert.equal(submission(httpStatus, { output_ResponseCode: code }).kind, 'unknown', code);
      }
    }
  });

  it('is paid only with our reference, and the cause names the field, not its value', () => {
    assert.equal(submission(201, PAID_ANSWER).kind, 'paid');
    const other = { ...PAID_ANSWER, output_ThirdPartyConversationID: 'another-payouts' };
    const missing = { ...PAID_ANSWER, output_ThirdPartyConversationID: undefined };
    for (const body of [other, missing]) {
      const outcome = submission(201, body);
      assert.equal(outcome.kind, body === other ? 'mismatched' : 'unknown');
      const cause = 'cause' in outcome ? outcome.cause : '';
      assert.match(cause, /output_ThirdPartyConversationID/);
      assert.doesNotMatch(cause, /another-payouts/);
    }
  });

  it('is pending without the id of a transaction', () => {
    for (const id of [undefined, '', 'N/A', { id: 'x' }]) {
      const outcome = submission(201, { ...PAID_ANSWER, output_TransactionID: id });
      assert.equal(outcome.kind, 'pending');
    }
  });

  it('is no refusal under another reference', () => {
    const body = { output_ResponseCode: 'INS-6', output_ThirdPartyConversationID: 'another' };
    assert.equal(submission(401, body).kind, 'unknown');
    const ours = { ...body, output_ThirdPartyConversationID: CONVERSATION_ID };
    assert.equal(submission(401, ours).kind, 'rejected');
  });
});

describe('the answer to an inquiry', () => {
  it('reads each status', () => {
    const kinds: Readonly<Record<string, string>> = {
      Completed: 'paid',
      Pending: 'pending',
      'In Progress': 'pending',
      Failed: 'rejected',
      Cancelled: 'rejected',
      Expired: 'rejected',
      'N/A': 'unknown',
      completed: 'unknown',
      '': 'unknown',
    };
    for (const [word, kind] of Object.entries(kinds)) {
      const body = { ...COMPLETED_ANSWER, output_ResponseTransactionStatus: word };
      assert.equal(status(200, body).kind, kind, word);
      assert.equal(status(201, body).kind, 'unknown', word);
    }
    assert.ok([...VODACOM_STATUSES.keys()].every((word) => word in kinds));
  });

  it('is "not found" for INS-23 alone; other codes describe the inquiry', () => {
    assert.deepEqual(status(400, { output_ResponseCode: 'INS-23' }), { kind: 'notFound' });
    assert.equal(status(404, { output_ResponseCode: 'INS-23' }).kind, 'unknown');
    for (const [code, httpStatus] of REFUSALS) {
      const expected = httpStatus === 401 ? 'unanswered' : 'unknown';
      assert.equal(status(httpStatus, { output_ResponseCode: code }).kind, expected, code);
    }
  });

  it('recognises a reversed payout', () => {
    for (const word of ['True', 'true', true]) {
      const kind = status(200, { ...COMPLETED_ANSWER, output_Reversed: word }).kind;
      assert.equal(kind, word === true ? 'unknown' : 'returned');
    }
    const failed = { output_ResponseTransactionStatus: 'Failed', output_Reversed: 'True' };
    assert.equal(status(200, { ...COMPLETED_ANSWER, ...failed }).kind, 'unknown');
  });

  it('is unknown if a field is missing or of another payout, and names it', () => {
    const fields = ['output_ThirdPartyConversationID', 'output_Reversed'] as const;
    for (const field of [...fields, 'output_OriginalTransactionID']) {
      for (const value of [undefined, 'another’s']) {
        const outcome = status(200, { ...COMPLETED_ANSWER, [field]: value });
        const isAnother = field === 'output_ThirdPartyConversationID' && value !== undefined;
        assert.equal(outcome.kind, isAnother ? 'mismatched' : 'unknown', field);
        assert.ok('cause' in outcome && outcome.cause.includes(field));
      }
    }
    const original = { ...COMPLETED_ANSWER, output_ThirdPartyConversationID: CONVERSATION_ID };
    const paid = status(200, original);
    assert.deepEqual(paid.kind === 'paid' && paid.confirmed, ['reference']);
  });

  it('schedules inquiries about a pending payout at growing intervals', () => {
    const body = { ...COMPLETED_ANSWER, output_ResponseTransactionStatus: 'Pending' };
    const inquireInMs = (ageMs: number) => {
      const outcome = readStatus(answered(200, body), { ...ASKED, ageMs });
      return outcome.kind === 'pending' ? outcome.inquireInMs : undefined;
    };
    assert.deepEqual([0, 60_000, 10 ** 9].map(inquireInMs), [5_000, 30_000, 1_800_000]);
  });
});

describe('any answer', () => {
  const codes = [...VODACOM_CODES.keys(), 'INS-77', ''];
  const near = fc.record(
    {
      output_ResponseCode: fc.oneof(fc.constantFrom(...codes), fc.jsonValue()),
      output_TransactionID: fc.oneof(fc.constant('hv9ahxcg4ccv'), fc.jsonValue()),
      output_ThirdPartyConversationID: fc.oneof(
        fc.constantFrom(CONVERSATION_ID, QUERY_ID),
        fc.jsonValue(),
      ),
      output_ResponseTransactionStatus: fc.oneof(
        fc.constantFrom(...VODACOM_STATUSES.keys(), 'N/A'),
        fc.jsonValue(),
      ),
      output_Reversed: fc.oneof(fc.constantFrom('True', 'False'), fc.jsonValue()),
      output_OriginalTransactionID: fc.oneof(fc.constant('4C123GE3'), fc.jsonValue()),
    },
    { requiredKeys: [] },
  );
  const bodies = fc.oneof(
    { weight: 4, arbitrary: near.map((body) => JSON.stringify(body)) },
    fc.json(),
    fc.string(),
    fc.constant('<html>Bad Gateway</html>'),
  );
  const statuses = fc.oneof(
    fc.constantFrom(200, 201, 400, 401, 403, 408, 409, 422, 429, 500, 502, 503),
    fc.integer({ min: 100, max: 599 }),
  );
  const word = (value: unknown): string =>
    typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  /** Reads the documented form with plain JSON.parse. */
  const plain = (text: string): Record<string, unknown> => {
    try {
      const value: unknown = JSON.parse(text);
      return typeof value === 'object' && value !== null ? { ...value } : {};
    } catch {
      return {};
    }
  };

  it('ends a payout only in a documented form', () => {
    fc.assert(
      fc.property(statuses, bodies, (httpStatus, text) => {
        const { kind } = submission(httpStatus, text);
        const body = plain(text);
        const code = word(body.output_ResponseCode);
        const isOurs = body.output_ThirdPartyConversationID === CONVERSATION_ID;
        if (kind === 'paid') {
          assert.ok(httpStatus === 201 && code === 'INS-0' && isOurs);
          assert.match(word(body.output_TransactionID), /^[0-9A-Za-z]+$/);
        }
        if (kind === 'rejected') assert.ok(REFUSAL_STATUSES.get(code)?.includes(httpStatus));
        const others = ['mismatched', 'pending', 'unknown', 'throttled'];
        assert.ok(['paid', 'rejected', ...others].includes(kind));
      }),
      { numRuns: 3_000 },
    );
  });

  it('ends a doubt only in a documented form', () => {
    fc.assert(
      fc.property(statuses, bodies, (httpStatus, text) => {
        const { kind } = status(httpStatus, text);
        const body = plain(text);
        const said = word(body.output_ResponseTransactionStatus);
        if (kind === 'paid' || kind === 'rejected' || kind === 'returned') {
          assert.ok(httpStatus === 200 && body.output_ResponseCode === 'INS-0');
          const ids: unknown[] = [QUERY_ID, CONVERSATION_ID];
          assert.ok(ids.includes(body.output_ThirdPartyConversationID));
          const reversed = word(body.output_Reversed).toLowerCase();
          if (kind === 'paid') assert.deepEqual([said, reversed], ['Completed', 'false']);
          if (kind === 'returned') assert.deepEqual([said, reversed], ['Completed', 'true']);
          if (kind === 'rejected') assert.ok(['Failed', 'Cancelled', 'Expired'].includes(said));
        }
        assert.notEqual(kind, 'notSent');
      }),
      { numRuns: 3_000 },
    );
  });

  it('to a reversal is never the end of a payout', () => {
    fc.assert(
      fc.property(statuses, bodies, (httpStatus, text) => {
        const { kind } = readReversal(answered(httpStatus, text));
        assert.ok(kind === 'pending' || kind === 'unknown');
      }),
    );
  });
});

it('reports that the operator already has a payout under our reference, unless we sent it twice', () => {
  const duplicate = answered(409, { output_ResponseCode: 'INS-10' });
  const cause = 'HTTP 409 INS-10';
  const first = readSubmission(duplicate, SUBMITTED);
  assert.deepEqual(first, { kind: 'unknown', cause, isDuplicate: true });
  const second = readSubmission(duplicate, { ...SUBMITTED, again: true });
  assert.deepEqual(second, { kind: 'unknown', cause });
  const trusted = readSubmission(duplicate, { ...SUBMITTED, trustsDuplicates: true });
  assert.equal(trusted.kind, 'pending');
});
