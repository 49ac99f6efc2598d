import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Type } from 'typebox';
import { keysOf, routeOf, startServer, TEST_KEY } from '../../../test/http-server.ts';
import { fieldProblem } from '../../domain/field-problem.ts';
import { refuse } from '../../domain/refusal.ts';
import { OutcomeUnknown } from '../../postgres/database.ts';

const CANARY = {
  key: 'sk_test_Canary0Key0Canary0Key0Canary0Key',
  phone: '+260977433571',
  name: 'Canary Mwansa',
  narration: 'canary rent for november',
} as const;

/** An error as PostgreSQL reports it if a row violates a constraint. */
function databaseError(): Error {
  return Object.assign(new Error(`value "${CANARY.name}" too long`), {
    severity: 'ERROR',
    code: '22001',
    detail: `Failing row contains (${Object.values(CANARY).join(', ')}).`,
  });
}

const ENDINGS: Readonly<Record<string, () => unknown>> = {
  refused: () =>
    refuse('VALIDATION_ERROR', {
      fields: [fieldProblem('narration', 'TOO_LONG')],
      data: { transfer: CANARY },
    }),
  broken: () =>
    new Error(`no route for ${CANARY.phone} with ${CANARY.key}`, { cause: databaseError() }),
  unknown: () => new OutcomeUnknown(databaseError()),
};

const pay = routeOf(
  {
    method: 'POST',
    path: '/pay/:ending',
    operationId: 'pay',
    schema: { body: Type.Object({}), data: { 200: Type.Object({ word: Type.String() }) } },
  },
  async ({ params }) => {
    const ending = ENDINGS[params.ending ?? ''];
    if (ending !== undefined) throw ending();
    return { status: 200, message: 'Paid', data: { word: CANARY.name } };
  },
);

describe('the log of a request', () => {
  it('shows no key, phone, name or narration, however the request ends', async () => {
    const served = await startServer([pay], { authenticator: keysOf({ [CANARY.key]: TEST_KEY }) });
    const send = (path: string, key: string) =>
      served.send({
        method: 'POST',
        path,
        headers: {
          'x-api-key': key,
          'content-type': 'application/json',
          'idempotency-key': CANARY.name,
        },
        body: JSON.stringify(CANARY),
      });
    const query = `?phone=${encodeURIComponent(CANARY.phone)}&name=Canary`;
    const statuses = [];
    for (const ending of ['paid', 'refused', 'broken', 'unknown']) {
      statuses.push((await send(`/api/v1/payments/pay/${ending}${query}`, CANARY.key)).status);
    }
    statuses.push((await send('/api/v1/payments/pay/x', `${CANARY.key}x`)).status);
    statuses.push((await send(`/api/v1/payments/${CANARY.phone}/Canary`, CANARY.key)).status);
    await served.stop();
    assert.deepEqual(statuses, [200, 400, 500, 503, 401, 404]);
    assert.equal(served.logLines.length, 6);
    const log = served.logLines.join('');
    assert.doesNotMatch(log, /canary0key|canary mwansa|canary rent|977433571|77433/i);
    assert.doesNotMatch(log, /Canary/);
  });

  it('has one line that identifies the request, at the right level', async () => {
    const served = await startServer([pay], { authenticator: keysOf({ [CANARY.key]: TEST_KEY }) });
    for (const ending of ['paid', 'refused', 'broken']) {
      await served.send({
        method: 'POST',
        path: `/api/v1/payments/pay/${ending}`,
        headers: { 'x-api-key': CANARY.key, 'content-type': 'application/json' },
        body: '{}',
      });
    }
    await served.stop();
    const lines = served.logLines.map((line) => JSON.parse(line));
    assert.deepEqual(
      lines.map(({ level, status }) => [level, status]),
      [
        ['debug', 200],
        ['info', 400],
        ['error', 500],
      ],
    );
    const [paid, , broken] = lines;
    assert.equal(paid.route, '/api/v1/payments/pay/:ending');
    assert.equal(paid.method, 'POST');
    assert.equal(paid.requestId, 'request-1');
    assert.equal(paid.keyId, TEST_KEY.id);
    assert.equal(paid.bookId, TEST_KEY.book.id);
    assert.equal(typeof paid.elapsedMs, 'number');
    assert.match(broken.err.stack, /exchange\.test\.ts/);
    assert.equal(broken.err.cause.code, '22001');
  });
});

it('logs the address of the client, which a proxy tells only where it is trusted', async () => {
  const logged = async (trustedProxies: readonly string[]) => {
    const served = await startServer([], { trustedProxies });
    const headers = { 'x-forwarded-for': '198.51.100.9, 203.0.113.7' };
    await served.send({ path: '/nowhere', headers });
    await served.stop();
    return JSON.parse(served.logLines.at(-1) ?? '{}').address;
  };
  assert.equal(await logged(['127.0.0.1']), '203.0.113.7');
  assert.equal(await logged([]), '127.0.0.1');
});
