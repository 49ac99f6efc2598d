import assert from 'node:assert/strict';
import { it } from 'node:test';
import * as fc from 'fast-check';
import type { Outcome } from '../../domain/outcome.ts';
import type { Payout } from '../contract/connector.ts';
import { readExactJson } from '../wire/exact-json.ts';
import type { WireAnswer } from '../wire/operator-wire.ts';
import { payoutOutcome } from './answers.ts';
import { meaningOfZamtelCode, shownZamtelCode } from './codes.ts';

const PAYOUT: Payout = {
  operatorReference: '7c9b7a46-2a6f-4f7f-9d0b-1e1d5b0b7a10',
  phone: '+260955123456',
  operator: 'zamtel',
  country: 'zm',
  currency: 'ZMW',
  amountMinor: 9_000n,
  narration: null,
  createdAt: new Date(0),
};
const RECORD = { request: '', httpStatus: null, answer: '', elapsedMs: 0 };

function outcomeOf(status: number, body: unknown, successNeedsTransactionId = true): Outcome {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const json = readExactJson(text);
  const answer: WireAnswer = { kind: 'answered', status, headers: {}, text, json, record: RECORD };
  return payoutOutcome(answer, PAYOUT, { successNeedsTransactionId });
}

const CODES = {
  '2001': 'OPERATOR_REJECTED',
  '2002': 'RECIPIENT_NOT_FOUND',
  '2005': 'RECIPIENT_LIMIT_REACHED',
  '2006': 'OPERATOR_FLOAT_INSUFFICIENT',
  '2051': 'RECIPIENT_NOT_FOUND',
  '2057': 'OPERATOR_REJECTED',
  E8003: 'OPERATOR_REJECTED',
  '1': 'unknown',
  '-1': 'unknown',
  E8027: 'unknown',
} as const;

for (const [code, meaning] of Object.entries(CODES)) {
  it(`reads the status ${code} as ${meaning}, under both names`, () => {
    const spellings: unknown[] = [{ status: code }, { StatusCode: code }];
    if (!code.startsWith('E'))
      spellings.push({ status: Number(code) }, { StatusCode: Number(code) });
    for (const body of spellings) {
      const outcome = outcomeOf(200, { ...(body as object), message: 'x' });
      const read = outcome.kind === 'rejected' ? outcome.failure : outcome.kind;
      assert.equal(read, meaning, JSON.stringify(body));
    }
  });
}

it('reads the status 0 with an id as paid, quoted or not, under both names', () => {
  const paid: Outcome = { kind: 'paid', operatorTransactionId: '77', confirmed: [] };
  for (const body of [
    { status: '0' },
    { status: 0 },
    { StatusCode: '0' },
    { status: 0, StatusCode: '0' },
  ]) {
    assert.deepEqual(outcomeOf(200, { ...body, TransactionId: '77' }), paid);
    assert.deepEqual(outcomeOf(200, { ...body, TransactionId: 77 }), paid);
  }
});

it('is in doubt about a success without an id, unless the settings trust it', () => {
  const nameless = { status: '0', message: 'Success' };
  const cause = 'status 0 without a TransactionId';
  assert.deepEqual(outcomeOf(200, nameless), { kind: 'unknown', cause });
  assert.deepEqual(outcomeOf(200, nameless, false), {
    kind: 'paid',
    operatorTransactionId: null,
    confirmed: [],
  });
});

it('is in doubt about an answer with a field that differs from what was sent', () => {
  const success = { status: '0', TransactionId: '77' };
  const echo = { ConversationId: PAYOUT.operatorReference, Amount: 90, Msisdn: 260955123456 };
  assert.equal(outcomeOf(200, { ...success, ...echo }).kind, 'paid');
  for (const [field, value, subject] of [
    ['ConversationId', 'other', 'reference'],
    ['Amount', '90.01', 'amount'],
    ['Msisdn', '260955123457', 'number'],
    ['Msisdn', {}, 'number'],
  ] as const) {
    const cause = `the answer's ${field} is not what was sent`;
    const another: Outcome = { kind: 'mismatched', contradicted: [subject], cause };
    assert.deepEqual(outcomeOf(200, { ...success, [field]: value }), another);
    const refused = { status: '2006', [field]: value };
    assert.deepEqual(outcomeOf(200, refused), { kind: 'unknown', cause });
  }
});

it('is in doubt about anything else', () => {
  const success = { status: '0', message: 'Success', TransactionId: '77' };
  const unclear: readonly (readonly [number, unknown])[] = [
    [200, ''],
    [200, '<html></html>'],
    [200, {}],
    [200, [success]],
    [200, JSON.stringify(JSON.stringify(success))],
    [200, { ...success, status: '00' }],
    [200, { ...success, status: false }],
    [200, { ...success, status: null }],
    [200, { ...success, StatusCode: '2006' }],
    [200, { status: '9999', message: 'x' }],
    [201, success],
    [500, success],
    [500, { status: '2006', message: 'x' }],
  ];
  for (const [status, body] of unclear) {
    assert.equal(outcomeOf(status, body).kind, 'unknown', JSON.stringify([status, body]));
  }
  const lost: WireAnswer = { kind: 'lost', cause: 'ECONNRESET', record: RECORD };
  const terms = { successNeedsTransactionId: true };
  assert.deepEqual(payoutOutcome(lost, PAYOUT, terms), { kind: 'unknown', cause: 'ECONNRESET' });
});

it('ends a payout only in the documented form', () => {
  const code = fc.constantFrom<unknown>('0', 0, '2006', 2002, '-1', '00', 'x', null, false);
  const near = fc.record(
    {
      status: code,
      StatusCode: code,
      message: fc.string(),
      TransactionId: fc.constantFrom<unknown>('77', '', null),
      Amount: fc.constantFrom<unknown>('90.00', 90, '91'),
    },
    { requiredKeys: [] },
  );
  const body = fc.oneof(
    near.map((value) => JSON.stringify(value)),
    fc.json(),
    fc.string(),
  );
  const status = fc.oneof(fc.constant(200), fc.integer({ min: 100, max: 999 }));
  const seen = new Set<string>();
  fc.assert(
    fc.property(status, body, (httpStatus, text) => {
      const outcome = outcomeOf(httpStatus, text);
      seen.add(outcome.kind);
      if (outcome.kind === 'throttled') return assert.equal(httpStatus, 429);
      if (outcome.kind === 'unknown') return;
      assert.equal(httpStatus, 200);
      const body: Record<string, unknown> = JSON.parse(text);
      const codes = [body['status'], body['StatusCode']]
        .filter((one) => one !== undefined)
        .map((one) => JSON.stringify(one).replaceAll('"', ''));
      assert.equal(new Set(codes).size, 1);
      assert.equal(outcome.kind === 'mismatched', body['Amount'] === '91');
      if (outcome.kind === 'mismatched') return assert.equal(codes[0], '0');
      const isPaid = codes[0] === '0' && body['TransactionId'] === '77';
      assert.equal(outcome.kind, isPaid ? 'paid' : 'rejected');
      if (!isPaid) assert.match(codes[0] ?? '', /^(2002|2006)$/);
    }),
    { numRuns: 3_000 },
  );
  seen.delete('throttled');
  assert.deepEqual(seen, new Set(['paid', 'mismatched', 'rejected', 'unknown']));
});

it('reads an unlisted code as unknown, and does not show text that is not a code', () => {
  const known = ['0', ...Object.keys(CODES)];
  const code = fc.oneof(fc.string(), fc.constantFrom('constructor', '__proto__', 'e8003'));
  fc.assert(
    fc.property(code, (text) => {
      fc.pre(!known.includes(text));
      assert.equal(meaningOfZamtelCode(text), 'unknown');
    }),
  );
  assert.equal(shownZamtelCode('2006'), '2006');
  assert.equal(shownZamtelCode('<b>'), 'that cannot be shown');
});
