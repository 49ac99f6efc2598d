import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  refusal,
  type ScriptedServer,
  startScriptedServer,
  success,
} from '../../test/scripted-server.ts';
import { createTestTransport, errorOf } from '../../test/test-client.ts';
import { Kafue } from '../kafue.ts';
import { KafueError } from '../kafue-error.ts';
import { Transfers } from './transfers.ts';

const PENDING = success({ id: 't1', status: 'pending', state: 'submitted' });
const IN_DOUBT = success({ id: 't1', status: 'pending', state: 'in_doubt' });
const PAID = success({ id: 't1', status: 'successful', state: 'succeeded' });
const BUSY = refusal(503, 'UNAVAILABLE', { retryable: true });

let server: ScriptedServer;
before(async () => {
  server = await startScriptedServer();
});
after(() => server.close());

/** Time passes only while it pauses. */
function open() {
  const pausesMs: number[] = [];
  let nowMs = 0;
  const { transport } = createTestTransport({ baseUrl: server.baseUrl, retriesMax: 0 });
  const transfers = new Transfers(transport, {
    now: () => nowMs,
    pause: async (ms) => {
      pausesMs.push(ms);
      nowMs += ms;
    },
  });
  return { transfers, pausesMs };
}

const pick = ({ code, retryable }: KafueError) => [code, retryable];

describe('waitUntilFinal', () => {
  it('asks until the transfer is final, less and less often', async () => {
    server.play(PENDING, ...Array.from({ length: 7 }, () => PENDING), PAID);
    const { transfers, pausesMs } = open();
    const transfer = await transfers.waitUntilFinal('t1');
    assert.equal(transfer.status, 'successful');
    assert.deepEqual(pausesMs, [500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000, 10_000]);
    assert.deepEqual(
      new Set(server.requests.map(({ method, url }) => `${method} ${url}`)),
      new Set(['GET /api/v1/payments/transfers/t1']),
    );
  });

  it('gives up at its time with the transfer as it is, and says not to pay again', async () => {
    server.play(IN_DOUBT);
    const { transfers, pausesMs } = open();
    const error = await errorOf(transfers.waitUntilFinal('t1', { timeoutMs: 4_000 }));
    assert.deepEqual(
      [error.code, error.retryable, error.mayHaveBeenDone],
      ['STILL_PENDING', true, false],
    );
    assert.equal(error.data.transfer?.state, 'in_doubt');
    assert.match(error.message, /in_doubt.*Do not pay again/);
    assert.deepEqual(pausesMs, [500, 1_000, 2_000, 500]);
  });

  it('waits on while the service is away, and no longer than its time', async () => {
    server.play('reset', BUSY, PENDING, PAID);
    assert.equal((await open().transfers.waitUntilFinal('t1')).status, 'successful');
    server.play(BUSY);
    const error = await errorOf(open().transfers.waitUntilFinal('t1', { timeoutMs: 2_000 }));
    assert.equal(error.code, 'UNAVAILABLE');
  });

  it('keeps the transfer that it saw last when the service is away at the end', async () => {
    server.play(PENDING, IN_DOUBT, BUSY);
    const error = await errorOf(open().transfers.waitUntilFinal('t1', { timeoutMs: 5_000 }));
    assert.deepEqual([error.code, error.data.transfer?.state], ['STILL_PENDING', 'in_doubt']);
    assert.ok(error.cause instanceof KafueError && error.cause.code === 'UNAVAILABLE');
  });

  it('ends a read that takes longer than its time, whatever is to be sent again', async () => {
    const kafue = new Kafue({ apiKey: 'sk_test_key', baseUrl: server.baseUrl });
    const wait = (timeoutMs: number) =>
      errorOf(kafue.transfers.waitUntilFinal('t1', { timeoutMs }));
    server.play(PENDING, 'hang');
    const beganMs = performance.now();
    const error = await wait(600);
    assert.deepEqual([error.code, error.data.transfer?.state], ['STILL_PENDING', 'submitted']);
    assert.ok(error.cause instanceof KafueError && error.cause.code === 'TIMEOUT');
    server.play('hang');
    assert.deepEqual(pick(await wait(0)), ['TIMEOUT', true]);
    server.play(refusal(503, 'UNAVAILABLE', { retryable: true, headers: { 'retry-after': '50' } }));
    assert.deepEqual(pick(await wait(1_500)), ['TIMEOUT', true]);
    assert.ok(performance.now() - beganMs < 10_000);
  });

  it('looks once when it has no time', async () => {
    server.play(PAID);
    const paid = await open().transfers.waitUntilFinal('t1', { timeoutMs: 0 });
    assert.equal(paid.status, 'successful');
    server.play(PENDING);
    const error = await errorOf(open().transfers.waitUntilFinal('t1', { timeoutMs: 0 }));
    assert.deepEqual([error.code, server.requests.length], ['STILL_PENDING', 1]);
  });

  it('ends at once at an error that does not pass, and by the signal', async () => {
    server.play(refusal(404, 'TRANSFER_NOT_FOUND'));
    const unknown = await errorOf(open().transfers.waitUntilFinal('t1'));
    assert.deepEqual([unknown.code, server.requests.length], ['TRANSFER_NOT_FOUND', 1]);
    server.play(PENDING);
    const controller = new AbortController();
    const { transport } = createTestTransport({ baseUrl: server.baseUrl });
    const pause = async () => controller.abort('enough');
    const { signal } = controller;
    const ended = await errorOf(
      new Transfers(transport, { now: () => 0, pause }).waitUntilFinal('t1', { signal }),
    );
    assert.deepEqual([ended.code, ended.cause, server.requests.length], ['ABORTED', 'enough', 1]);
  });

  it('refuses a time that is none', async () => {
    for (const timeoutMs of [Number.NaN, -1, Number.POSITIVE_INFINITY]) {
      const error = await errorOf(open().transfers.waitUntilFinal('t1', { timeoutMs }));
      assert.equal(error.code, 'INVALID_ARGUMENT');
    }
  });
});
