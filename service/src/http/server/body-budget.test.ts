import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { describe, it } from 'node:test';
import { Type } from 'typebox';
import { keysOf, routeOf, startServer, TEST_KEY, VALID_KEY } from '../../../test/http-server.ts';
import { pollUntil } from '../../../test/poll.ts';
import { Refusal } from '../../domain/refusal.ts';
import { BodyBudget, type BudgetLimits } from './body-budget.ts';

const LIMITS: BudgetLimits = {
  bytesMax: 100,
  bytesOfOwnerMax: 60,
  bodiesMax: 3,
  bodiesOfOwnerMax: 2,
};

const ignore = () => undefined;

function codeOf(work: () => unknown): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    return error instanceof Refusal ? error.code : String(error);
  }
}

describe('BodyBudget', () => {
  it('bounds bytes per owner and in total, and frees them on close', () => {
    const budget = new BodyBudget(LIMITS, () => 0);
    const mine = budget.open('a', ignore);
    const other = budget.open('b', ignore);
    mine.take(60);
    assert.equal(
      codeOf(() => mine.take(1)),
      'RATE_LIMITED',
    );
    other.take(40);
    assert.equal(
      codeOf(() => other.take(1)),
      'UNAVAILABLE',
    );
    assert.equal(budget.bytes, 100);
    mine.give(10);
    other.take(10);
    mine.close();
    mine.close();
    assert.equal(budget.bytes, 50);
    other.close();
    assert.equal(budget.bytes, 0);
  });

  it('bounds bodies per owner and in total', () => {
    const budget = new BodyBudget(LIMITS, () => 0);
    const first = budget.open('a', ignore);
    budget.open('a', ignore);
    assert.equal(
      codeOf(() => budget.open('a', ignore)),
      'RATE_LIMITED',
    );
    budget.open('b', ignore);
    assert.equal(
      codeOf(() => budget.open('c', ignore)),
      'UNAVAILABLE',
    );
    first.close();
    assert.ok(budget.open('c', ignore));
  });

  it('ends only bodies that arrive too slowly', () => {
    let nowMs = 0;
    const budget = new BodyBudget({ ...LIMITS, bodiesMax: 9 }, () => nowMs);
    const ended: string[] = [];
    budget.open('slow', () => ended.push('slow')).receive(100);
    budget.open('fast', () => ended.push('fast')).receive(100_000);
    budget.open('whole', () => ended.push('whole')).arrived();
    nowMs = 1_900;
    budget.endSlow();
    assert.deepEqual(ended, []);
    nowMs = 2_100;
    budget.endSlow();
    assert.deepEqual(ended, ['slow']);
  });
});

const SECOND_KEY = 'sk_test_second';
const OTHER_KEY = 'sk_test_other';
const Word = Type.Object({ word: Type.String() });
const BULK_SHAPE = {
  depthMax: 4,
  valuesMax: 1_000,
  itemsMax: 10,
  keysMax: 10,
  stringLengthMax: 1_000_000,
};

function startBulk(large: BudgetLimits, work: () => Promise<void> = async () => {}) {
  const bulk = routeOf(
    {
      method: 'POST',
      path: '/bulk',
      bodyBytesMax: 4 * 1_024 * 1_024,
      bodyShape: BULK_SHAPE,
      schema: { body: Type.Object({}), data: { 200: Word } },
    },
    async () => {
      await work();
      return { status: 200, message: 'Read', data: { word: 'read' } };
    },
  );
  const second = { ...TEST_KEY, id: '01890a5d-ac96-774b-bcce-000000000008' };
  const other = {
    ...TEST_KEY,
    id: '01890a5d-ac96-774b-bcce-000000000009',
    book: { ...TEST_KEY.book, merchantId: '01890a5d-ac96-774b-bcce-00000000000a' },
  };
  return startServer([bulk], {
    authenticator: keysOf({
      [VALID_KEY]: TEST_KEY,
      [SECOND_KEY]: second,
      [OTHER_KEY]: other,
    }),
    bodyBudgets: { large },
    limits: { lingerMs: 100 },
  });
}

/** Sends the head and the beginning of a body, and collects the answer. */
function beginBulk(port: number, key: string, text: string): { socket: Socket; answer: string } {
  const socket = connect(port, '127.0.0.1');
  const begun = { socket, answer: '' };
  socket.on('error', ignore);
  socket.on('data', (chunk) => (begun.answer += chunk.toString('latin1')));
  socket.write(
    `POST /api/v1/payments/bulk HTTP/1.1\r\nhost: x\r\nx-api-key: ${key}\r\n` +
      `content-type: application/json\r\ncontent-length: 4000000\r\n\r\n${text}`,
  );
  return begun;
}

describe('bodies that arrive slowly', () => {
  it('get a share of the memory for all keys of a merchant, and no more', async () => {
    const served = await startBulk({
      bytesMax: 1_000_000,
      bytesOfOwnerMax: 100_000,
      bodiesMax: 10,
      bodiesOfOwnerMax: 10,
    });
    const piece = `{"a":"${' '.repeat(40_000)}`;
    const first = beginBulk(served.port, VALID_KEY, piece);
    const second = beginBulk(served.port, SECOND_KEY, piece);
    await pollUntil('one is refused', () => first.answer + second.answer !== '');
    assert.match(
      first.answer + second.answer,
      /^HTTP\/1\.1 429 [^]*retry-after: 1[^]*RATE_LIMITED/,
    );
    const body = '{"a":1}';
    const headers = { 'x-api-key': OTHER_KEY, 'content-type': 'application/json' };
    const reply = await served.send({
      method: 'POST',
      path: '/api/v1/payments/bulk',
      headers,
      body,
    });
    assert.equal(reply.status, 200, 'another merchant has its own share');
    first.socket.destroy();
    second.socket.destroy();
    await served.stop();
  });

  it('keep their memory until the work ends, also if the client leaves before', async () => {
    const worked = Promise.withResolvers<void>();
    let begun = 0;
    const limits = {
      bytesMax: 1_000_000,
      bytesOfOwnerMax: 200_000,
      bodiesMax: 10,
      bodiesOfOwnerMax: 1,
    };
    const served = await startBulk(limits, () => {
      begun += 1;
      return worked.promise;
    });
    const head =
      `POST /api/v1/payments/bulk HTTP/1.1\r\nhost: x\r\nx-api-key: ${VALID_KEY}\r\n` +
      'content-type: application/json\r\n';
    const body = JSON.stringify({ a: 'x'.repeat(40_000) });
    const socket = connect(served.port, '127.0.0.1');
    socket.on('error', ignore);
    socket.write(`${head}content-length: ${body.length}\r\n\r\n${body}`);
    await pollUntil('it is worked on', () => begun === 1);
    socket.destroy();
    await pollUntil('the server has noticed', () =>
      served.logLines.some((line) => line.includes('"status":499')),
    );
    const headers = { 'x-api-key': VALID_KEY, 'content-type': 'application/json' };
    const call = { method: 'POST', path: '/api/v1/payments/bulk', headers, body };
    assert.equal((await served.send(call)).status, 429);
    worked.resolve();
    await pollUntil('its memory is free', async () => (await served.send(call)).status === 200);
    await served.stop();
  });

  it('are refused at the first excess, while the client still sends', async () => {
    const served = await startBulk({
      bytesMax: 10_000_000,
      bytesOfOwnerMax: 10_000_000,
      bodiesMax: 10,
      bodiesOfOwnerMax: 10,
    });
    const { socket, answer } = await new Promise<{ socket: Socket; answer: string }>((resolve) => {
      const begun = beginBulk(served.port, VALID_KEY, `{"a":[${'{},'.repeat(11)}`);
      begun.socket.once('data', () => resolve(begun));
    });
    assert.match(answer, /^HTTP\/1\.1 400 /);
    assert.match(answer, /INVALID_JSON/);
    assert.match(answer, /connection: close/i);
    socket.destroy();
    await served.stop();
  });
});
