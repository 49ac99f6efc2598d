import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { answered, answeredText } from '../../../test/airtel/written-answer.ts';
import { somePayout } from '../../../test/fakes/fake-airtel.ts';
import { REPORTED_FIELDS } from '../../domain/outcome.ts';
import type { Payout } from '../contract/connector.ts';
import { AIRTEL_CODES } from './codes.ts';
import { toAirtelId } from './formats.ts';
import { type JudgeOptions, judgeAnswer, type Verdict } from './judge-answer.ts';

const PAYOUT = somePayout({ operatorReference: '6f1c2b34-5d6e-4f70-8a9b-0c1d2e3f4a5b' });
const ID = toAirtelId(PAYOUT.operatorReference);
const PAID_CODE = 'DP00900001001';
const SENT = 'Trans.ID : CI240101.1234.A00001. You have sent ZMW 150.50 to 977123456, JANE BANDA.';

type Body = Record<string, unknown>;

function bodyOf(
  transaction: Body | undefined,
  status: Body,
  more: Body = {},
): Readonly<{ data: Body; status: Body }> {
  return { data: transaction === undefined ? {} : { transaction, ...more }, status };
}

function judge(
  body: unknown,
  wanted: Partial<JudgeOptions> & { http?: number; payout?: Payout } = {},
): Verdict {
  const { http = 200, payout = PAYOUT, ...options } = wanted;
  return judgeAnswer(answered(http, body), payout, {
    purpose: 'submit',
    readsTexts: true,
    statusDecidesInquiry: false,
    ...options,
  });
}

const SUCCESS = { response_code: PAID_CODE, success: true, message: 'SUCCESS' };
const FAILURE = { response_code: 'DP00900001007', success: false, message: 'Insufficient funds' };

describe('a success', () => {
  it('is confirmed if the text reports amount, currency and number as they were sent', () => {
    const verdict = judge(bodyOf({ id: ID, status: 'TS' }, { ...SUCCESS, message: SENT }));
    const confirmed = ['reference', 'amount', 'currency', 'number'];
    assert.deepEqual(verdict, { kind: 'paid', operatorTransactionId: null, confirmed });
  });

  it('is not confirmed if none of them is reported', () => {
    const verdict = judge(bodyOf({ id: ID, status: 'TS', airtel_money_id: 'A1' }, SUCCESS));
    assert.deepEqual(verdict, {
      kind: 'paid',
      operatorTransactionId: 'A1',
      confirmed: ['reference'],
    });
  });

  it('with another amount, currency or number does not count, wherever it is reported', () => {
    const texts = [
      SENT.replace('150.50', '150.05'),
      SENT.replace('150.50', '1,150.50'),
      SENT.replace('ZMW', 'NGN'),
      SENT.replace('977123456', '977123457'),
    ];
    for (const message of texts) {
      const outer = judge(bodyOf({ id: ID, status: 'TS' }, { ...SUCCESS, message }));
      assert.equal(outer.kind, 'mismatch', message);
      const inner = judge(bodyOf({ id: ID, status: 'TS', message }, SUCCESS));
      assert.equal(inner.kind, 'mismatch', message);
      const unread = judge(bodyOf({ id: ID, status: 'TS', message }, SUCCESS), {
        readsTexts: false,
      });
      assert.equal(unread.kind, 'paid', message);
    }
    const fields: Body[] = [
      { amount: 150.05 },
      { amount: '1505.0' },
      { amount: {} },
      { amount: true },
      { currency: 'zmw' },
      { currency: ['ZMW'] },
      { msisdn: '0977123457' },
      { msisdn: 97712345 },
    ];
    for (const field of fields) {
      const within = judge(bodyOf({ id: ID, status: 'TS', ...field }, SUCCESS));
      assert.equal(within.kind, 'mismatch', JSON.stringify(field));
      const beside = judge(bodyOf({ id: ID, status: 'TS' }, SUCCESS, field));
      assert.equal(beside.kind, 'mismatch', JSON.stringify(field));
    }
  });

  it('is confirmed if fields report all three in another spelling', () => {
    const reported = { amount: '150.500', currency: 'ZMW', msisdn: 260_977_123_456 };
    const verdict = judge(bodyOf({ id: ID, status: 'TS', ...reported }, SUCCESS));
    assert.equal(verdict.kind === 'paid' && verdict.confirmed.length, REPORTED_FIELDS.length);
  });

  it('whose text masks the number confirms nothing', () => {
    for (const number of ['97712****', '260977123***', '260977123xxx', '9771234xx', 'JANE']) {
      const message = SENT.replace('977123456', number);
      const verdict = judge(bodyOf({ id: ID, status: 'TS' }, { ...SUCCESS, message }));
      assert.deepEqual(verdict.kind === 'paid' && verdict.confirmed, ['reference'], number);
    }
  });

  it('of another id contradicts our reference', () => {
    for (const id of [ID.toUpperCase(), `${ID}0`]) {
      const verdict = judge(bodyOf({ id, status: 'TS' }, SUCCESS));
      assert.deepEqual(verdict.kind === 'mismatch' && verdict.contradicted, ['reference']);
      const failed = judge(bodyOf({ id, status: 'TF' }, FAILURE));
      assert.equal(failed.kind, 'doubt');
    }
  });

  it('names every field that differs', () => {
    const message = SENT.replace('150.50', '150.05').replace('977123456', '977123457');
    const verdict = judge(bodyOf({ id: ID, status: 'TS' }, { ...SUCCESS, message }));
    assert.deepEqual(verdict.kind === 'mismatch' && verdict.contradicted, ['amount', 'number']);
  });

  it('needs our id, the code, the flag and a status of 2xx, each of them', () => {
    const whole = { id: ID, status: 'TS' };
    const cases: [Body, number][] = [
      [bodyOf({ status: 'TS' }, SUCCESS), 200],
      [bodyOf(whole, { ...SUCCESS, response_code: 'DP00900001005' }), 200],
      [bodyOf(whole, { ...SUCCESS, response_code: undefined }), 200],
      [bodyOf(whole, { ...SUCCESS, response_code: [PAID_CODE], result_code: 'ESB000010' }), 200],
      [bodyOf(whole, { ...SUCCESS, success: false }), 200],
      [bodyOf(whole, { ...SUCCESS, success: 'true' }), 200],
      [bodyOf(whole, { ...SUCCESS, success: undefined }), 200],
      [bodyOf(whole, SUCCESS), 302],
      [bodyOf(whole, SUCCESS), 400],
      [bodyOf(whole, SUCCESS), 500],
    ];
    for (const [body, http] of cases) {
      for (const purpose of ['submit', 'inquire'] as const) {
        const { kind } = judge(body, { http, purpose });
        const isUnserved = http === 500 && purpose === 'inquire';
        assert.equal(kind, isUnserved ? 'unanswered' : 'doubt', `${http} ${JSON.stringify(body)}`);
      }
    }
  });

  it('keeps the first operator id that can be stored', () => {
    const ids: [Body, string | null][] = [
      [{ airtel_money_id: 'A1', reference_id: 'R1' }, 'A1'],
      [{ airtel_money_id: '', reference_id: 'R1' }, 'R1'],
      [{ airtel_money_id: 'x'.repeat(101), reference_id: 18_354 }, '18354'],
      [{ airtel_money_id: 'a\u0007b' }, null],
      [{}, null],
    ];
    for (const [given, expected] of ids) {
      const verdict = judge(bodyOf({ id: ID, status: 'TS', ...given }, SUCCESS));
      assert.equal(verdict.kind === 'paid' && verdict.operatorTransactionId, expected);
    }
  });
});

describe('a refusal', () => {
  it('counts with 200 as with 4xx, but not with a temporary status', () => {
    const body = bodyOf({ id: ID, status: 'TF' }, FAILURE);
    for (const http of [200, 400, 403, 404, 409, 422]) {
      assert.equal(judge(body, { http }).kind, 'refused', String(http));
    }
    for (const http of [302, 408, 425, 500, 502, 503, 504]) {
      assert.equal(judge(body, { http }).kind, 'doubt', String(http));
    }
    assert.equal(judge(body, { http: 429 }).kind, 'throttled');
  });

  it('does not count if status, flag or id contradict it', () => {
    const cases = [
      bodyOf({ id: ID, status: 'TS' }, FAILURE),
      bodyOf({ id: ID, status: 'TIP' }, FAILURE),
      bodyOf({ id: ID, status: 'TA' }, FAILURE),
      bodyOf({ id: ID, status: 'TE' }, FAILURE),
      bodyOf({ id: ID, status: 7 }, FAILURE),
      bodyOf({ id: ID, status: {} }, FAILURE),
      bodyOf({ id: 'other', status: 'TF' }, FAILURE),
      bodyOf({ status: 'TF' }, FAILURE),
      bodyOf({ id: 'other' }, FAILURE),
      bodyOf({ id: 7 }, FAILURE),
      bodyOf({ id: ID, status: 'TF' }, { ...FAILURE, success: true }),
      bodyOf({ id: ID, status: 'TF' }, { ...FAILURE, success: undefined }),
      { data: { transaction: 'TF' }, status: FAILURE },
    ];
    for (const body of cases) assert.equal(judge(body).kind, 'doubt', JSON.stringify(body));
  });

  it('of the gateway does not count if the answer contains a payout', () => {
    const flat = { status_code: 'ROUTER115', status_message: 'x' };
    assert.equal(judge(flat, { http: 400 }).kind, 'refused');
    const data = { transaction: { id: ID, status: 'TS' } };
    assert.equal(judge({ ...flat, data }, { http: 400 }).kind, 'doubt');
  });

  it('by an inquiry needs TF with our id; the success code beside it counts only by setting', () => {
    const purpose = 'inquire' as const;
    assert.equal(judge(bodyOf(undefined, FAILURE), { purpose }).kind, 'doubt');
    assert.equal(judge(bodyOf({ id: ID, status: 'TF' }, FAILURE), { purpose }).kind, 'refused');
    const odd = bodyOf({ id: ID, status: 'TF' }, SUCCESS);
    assert.equal(judge(odd, { purpose }).kind, 'doubt');
    assert.equal(judge(odd, { purpose, statusDecidesInquiry: true }).kind, 'refused');
    assert.equal(judge(odd, { purpose: 'submit', statusDecidesInquiry: true }).kind, 'doubt');
    const other = bodyOf({ id: 'x', status: 'TF' }, SUCCESS);
    assert.equal(judge(other, { purpose, statusDecidesInquiry: true }).kind, 'doubt');
  });
});

describe('an answer that is not final', () => {
  it('is pending if in progress, and doubt if ambiguous', () => {
    for (const response_code of ['DP00900001006', PAID_CODE]) {
      const body = bodyOf({ id: ID, status: 'TIP' }, { response_code, success: true });
      assert.equal(judge(body).kind, 'pending');
      assert.equal(judge(body, { purpose: 'inquire' }).kind, 'pending');
      const ambiguous = bodyOf({ id: ID, status: 'TA' }, { response_code, success: true });
      assert.equal(judge(ambiguous).kind, 'doubt');
    }
  });

  it('is "not found" only by the code, and only if it says nothing else about the payout', () => {
    const purpose = 'inquire' as const;
    const status = { response_code: 'DP00900001015', success: false };
    assert.equal(judge(bodyOf(undefined, status), { purpose }).kind, 'notFound');
    assert.equal(judge(bodyOf({ id: ID }, status), { purpose, http: 404 }).kind, 'notFound');
    assert.equal(judge(bodyOf({ id: 'other' }, status), { purpose }).kind, 'doubt');
    assert.equal(judge({}, { purpose, http: 404 }).kind, 'doubt');
    assert.equal(judge(bodyOf({ id: ID, status: 'TS' }, status), { purpose }).kind, 'doubt');
    assert.equal(judge(bodyOf(undefined, status), { purpose, http: 500 }).kind, 'unanswered');
    assert.equal(judge(bodyOf(undefined, { ...status, success: true }), { purpose }).kind, 'doubt');
  });
});

/** The outcomes that the documented forms allow, derived a second time by hand. */
function mayDecide(text: string, http: number, purpose: 'submit' | 'inquire'): Set<string> {
  const kinds = new Set(['doubt', 'pending', 'notFound', 'mismatch']);
  if (purpose === 'submit' && http === 429) kinds.add('throttled');
  if (purpose === 'inquire' && (http >= 400 || http < 200)) kinds.add('unanswered');
  let body: { data?: unknown; status?: unknown; status_code?: unknown } | null;
  try {
    body = JSON.parse(text);
  } catch {
    return kinds;
  }
  const status = (body?.status ?? {}) as Body;
  const data = (body?.data ?? {}) as Body;
  const transaction = (data['transaction'] ?? {}) as Body;
  const code = String(status['response_code'] || status['result_code'] || body?.status_code);
  const isListedRefusal = AIRTEL_CODES.get(code)?.meaning.kind === 'refused';
  const isOurs = transaction['id'] === ID;
  const isSuccess = code === PAID_CODE || code === 'ESB000010';
  if (http === 200 && isOurs && transaction['status'] === 'TS' && isSuccess) kinds.add('paid');
  const isFailed = transaction['status'] === 'TF' && isOurs;
  const hasNoStatus = transaction['status'] === undefined || transaction['status'] === null;
  const refuses = purpose === 'submit' ? isFailed || hasNoStatus : isFailed;
  const isRefusing = http < 300 || (http >= 400 && http < 500 && http !== 429);
  if (isListedRefusal && refuses && isRefusing) kinds.add('refused');
  return kinds;
}

describe('an arbitrary answer', () => {
  const codes = [...AIRTEL_CODES.keys()];
  const word = fc.oneof(
    fc.constant<unknown>(PAID_CODE),
    fc.constantFrom<unknown>(...codes),
    fc.constantFrom<unknown>('DP00900001999', '', null, 7, {}),
  );
  const status = fc.constantFrom<unknown>('TS', 'TF', 'TA', 'TIP', 'TE', 'XX', '', null, undefined);
  const near = fc.record({
    data: fc.option(
      fc.record({
        transaction: fc.oneof(
          fc.record({ id: fc.constantFrom<unknown>(ID, 'other', undefined, 1), status }),
          fc.constantFrom<unknown>(null, undefined, 'TS', []),
        ),
      }),
      { nil: undefined },
    ),
    status: fc.oneof(
      fc.record({
        response_code: word,
        result_code: word,
        success: fc.constantFrom<unknown>(true, false, 'true', undefined),
      }),
      fc.constantFrom<unknown>(undefined, null, 'x', 200),
    ),
    status_code: word,
  });
  const documented = fc.record({
    data: fc.record({
      transaction: fc.record({ id: fc.constant(ID), status: fc.constantFrom('TS', 'TF') }),
    }),
    status: fc.oneof(
      fc.record({ response_code: fc.constant(PAID_CODE), success: fc.constant(true) }),
      fc.record({ response_code: fc.constantFrom(...codes), success: fc.constant(false) }),
    ),
  });
  const text = fc.oneof(
    { weight: 3, arbitrary: documented.map((body) => JSON.stringify(body)) },
    { weight: 6, arbitrary: near.map((body) => JSON.stringify(body)) },
    { weight: 1, arbitrary: fc.json() },
    { weight: 1, arbitrary: fc.string() },
    { weight: 1, arbitrary: fc.constantFrom('', 'null', '[]', '<html>502</html>', '{"status":') },
  );
  const rare = fc.constantFrom(201, 302, 400, 401, 403, 404, 408, 429, 500, 502, 503);
  const http = fc.oneof(fc.constant(200), rare);
  const purpose = fc.constantFrom('submit' as const, 'inquire' as const);

  it('never pays and never refuses unless it is in a documented form', () => {
    const seen = new Map<string, number>();
    fc.assert(
      fc.property(text, http, purpose, (text, http, purpose) => {
        const options = { purpose, readsTexts: true, statusDecidesInquiry: false };
        const { kind } = judgeAnswer(answeredText(http, text), PAYOUT, options);
        seen.set(kind, (seen.get(kind) ?? 0) + 1);
        // Airtel does not document 201, but it means no less than 200.
        const allowed = mayDecide(text, http === 201 ? 200 : http, purpose);
        assert.ok(allowed.has(kind), `${kind} from ${http} ${text}`);
      }),
      { numRuns: 20_000 },
    );
    for (const kind of ['paid', 'refused']) {
      assert.ok((seen.get(kind) ?? 0) > 10, `the generator must produce ${kind}`);
    }
  });
});
