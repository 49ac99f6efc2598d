import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createRandom } from '../../faults/plan/random.ts';
import type { Target } from '../target/target.ts';
import { findFlaw } from './find-flaw.ts';
import { KINDS } from './kinds.ts';

const KINDS_MIN = 80;
const DRAWS = 20;
const TARGET: Target = {
  port: 1,
  attackerKey: 'sk_test_x',
  attackerWalletId: '01a1e0aa-c4b8-73c2-960b-c35ee58a2bf8',
  attackerWebhook: { id: '01a1e0aa-c4b8-73c2-960b-c35ee58a2bf9', url: 'https://hooks.example.com' },
  callbackRoute: 'mtn-zm',
  callbackToken: 'token',
};

function makeAll(seed: number): readonly string[] {
  const source = { random: createRandom(seed, 'kinds'), target: TARGET };
  return KINDS.flatMap(({ make }) =>
    Array.from({ length: DRAWS }, () => make(source).toString('latin1')),
  );
}

describe('the kinds of malformed requests', () => {
  it('are many, each with its own name', () => {
    assert.ok(KINDS.length >= KINDS_MIN);
    assert.equal(new Set(KINDS.map(({ name }) => name)).size, KINDS.length);
  });

  it('follow from the seed alone', () => {
    const first = makeAll(1);
    assert.deepEqual(makeAll(1), first);
    assert.notDeepEqual(makeAll(2), first);
    for (const request of first) assert.ok(request.length > 0);
  });
});

describe('an answer to a malformed request', () => {
  const toApi = Buffer.from('GET /api/v1/payments/wallets HTTP/1.1\r\n\r\n');
  const ids = new Map([['x-request-id', '7']]);
  const error = { code: 'NOT_FOUND', retryable: false, requestId: '7' };
  const envelope = { status: false, message: 'No.', data: { error } };
  const answerOf = (status: number, body: unknown, headers = ids) => ({
    status,
    headers,
    body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
  });

  it('may refuse with the envelope', () => {
    for (const status of [400, 404, 429, 503]) {
      const answer = answerOf(status, envelope);
      assert.equal(findFlaw({ request: toApi, answer }), undefined);
    }
  });

  it('has a flaw if it is a server error, or lacks the envelope or its id', () => {
    const cases = [
      answerOf(500, envelope),
      answerOf(502, envelope),
      answerOf(404, envelope, new Map()),
      answerOf(404, 'Not Found'),
      answerOf(404, { status: false, message: 'No.' }),
      answerOf(404, { error: 'Not Found' }),
      answerOf(404, { ...envelope, status: true }),
    ];
    for (const answer of cases) assert.equal(typeof findFlaw({ request: toApi, answer }), 'string');
  });

  it('needs no envelope outside the API', () => {
    const request = Buffer.from('GET /docs%00 HTTP/1.1\r\n\r\n');
    assert.equal(findFlaw({ request, answer: answerOf(404, 'none') }), undefined);
  });
});
