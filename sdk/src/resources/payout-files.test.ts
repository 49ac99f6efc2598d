import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import {
  refusal,
  type ScriptedServer,
  startScriptedServer,
  success,
} from '../../test/scripted-server.ts';
import { createTestTransport, errorOf } from '../../test/test-client.ts';
import { KafueError } from '../kafue-error.ts';
import { PayoutFiles } from './payout-files.ts';

let server: ScriptedServer;
before(async () => {
  server = await startScriptedServer();
});
after(() => server.close());

it('calls payout files by their paths, and sends the file as it is', async () => {
  const { transport } = createTestTransport(server);
  const files = new PayoutFiles(transport, { now: () => 0, pause: async () => undefined });
  server.play(success({ items: [], nextCursor: null, state: 'draft' }));
  await files.upload({
    file: 'phone,amount\n0977433571,5\n',
    name: 'October',
    walletId: 'w1',
    references: 'given',
  });
  await files.upload({ file: new Uint8Array([80, 75]) }, { idempotencyKey: 'once' });
  await files.get('f1');
  await files.list({ state: 'draft' }).page();
  await files.waitUntilChecked('f1');
  await files.update('f1', { walletId: 'w2' });
  await files.rows('f1', { problems: true, q: 'ban' }).page();
  await files.correctRow('f1', 2, { phone: '0977433571', amount: null });
  await files.dropRow('f1', 2);
  await files.restoreRow('f1', 2);
  await files.dropProblems('f1');
  await files.checkNames('f1');
  await files.submit('f1', { payAt: new Date('2026-11-30T06:00:00Z') });
  await files.cancel('f1');
  await files.retryFailed('f1');
  await files.delete('f1');
  assert.deepEqual(
    server.requests.map(({ method, url }) => `${method} ${url.replace('/api/v1/payments/', '')}`),
    [
      'POST payout-files?name=October&walletId=w1&references=given',
      'POST payout-files',
      'GET payout-files/f1',
      'GET payout-files?state=draft',
      'GET payout-files/f1',
      'PUT payout-files/f1',
      'GET payout-files/f1/rows?q=ban&problems=true',
      'PUT payout-files/f1/rows/2',
      'DELETE payout-files/f1/rows/2',
      'POST payout-files/f1/rows/2/restore',
      'POST payout-files/f1/drop-problems',
      'POST payout-files/f1/check-names',
      'POST payout-files/f1/submit',
      'POST payout-files/f1/cancel',
      'POST payout-files/f1/failed-rows',
      'DELETE payout-files/f1',
    ],
  );
  const bodies = server.requests.map(({ body }) => body).filter((body) => body.startsWith('{'));
  assert.deepEqual(bodies, [
    '{"walletId":"w2"}',
    '{"phone":"0977433571","amount":null}',
    '{"payAt":"2026-11-30T06:00:00.000Z"}',
  ]);
  const [first, second] = server.requests;
  assert.equal(first?.body, 'phone,amount\n0977433571,5\n');
  assert.equal(first?.headers['content-type'], 'application/octet-stream');
  assert.deepEqual([second?.body, second?.headers['idempotency-key']], ['PK', 'once']);
});

it('reads results as CSV', async () => {
  const { transport } = createTestTransport(server);
  const files = new PayoutFiles(transport, { now: () => 0, pause: async () => undefined });
  const text = 'row,status\r\n1,successful\r\n';
  server.play({ status: 200, headers: { 'content-type': 'text/csv' }, body: text });
  assert.equal(await files.results('f1'), text);
  const [request] = server.requests;
  assert.deepEqual(
    [request?.url, request?.headers.accept],
    ['/api/v1/payments/payout-files/f1/results', 'text/csv'],
  );
});

it('waits until a file has ended, however it did', async () => {
  const { transport } = createTestTransport(server);
  const files = new PayoutFiles(transport, { now: () => 0, pause: async () => undefined });
  for (const end of ['done', 'cancelled']) {
    server.play(
      success({ state: 'awaiting_approval' }),
      success({ state: 'scheduled' }),
      success({ state: 'paying' }),
      success({ state: end }),
    );
    assert.equal((await files.waitUntilEnded('f1')).state, end);
    assert.equal(server.requests.length, 4);
  }
});

it('waits no longer than it was told, and ten minutes by itself', async () => {
  const { transport } = createTestTransport(server);
  let nowMs = 0;
  let slowness = 1;
  const pause = async (ms: number) => void (nowMs += slowness * ms);
  const files = new PayoutFiles(transport, { now: () => nowMs, pause });
  server.play(success({ state: 'checking' }));
  const code = 'STILL_PENDING';
  await assert.rejects(files.waitUntilChecked('f1', { timeoutMs: 1_250 }), { code });
  assert.equal(nowMs, 1_250);
  slowness = 100;
  const message = /after 600000 ms/;
  await assert.rejects(files.waitUntilChecked('f1'), { code, message });
  await assert.rejects(files.waitUntilEnded('f1'), { code, message });
});

it('waits on while the service is away, and says in which state the file was seen last', async () => {
  const { transport } = createTestTransport({ ...server, retriesMax: 0 });
  let nowMs = 0;
  const pause = async (ms: number) => void (nowMs += ms);
  const files = new PayoutFiles(transport, { now: () => nowMs, pause });
  const away = refusal(503, 'UNAVAILABLE', { retryable: true });
  server.play('reset', away, success({ state: 'paying' }), away, success({ state: 'done' }));
  assert.equal((await files.waitUntilEnded('f1')).state, 'done');
  server.play(away, success({ state: 'draft' }));
  assert.equal((await files.waitUntilChecked('f1')).state, 'draft');
  server.play(success({ state: 'awaiting_approval' }), away);
  const error = await errorOf(files.waitUntilEnded('f1', { timeoutMs: 3_000 }));
  assert.equal(error.code, 'STILL_PENDING');
  assert.match(error.message, /^The file is still awaiting_approval after 3000 ms\./);
  assert.ok(error.cause instanceof KafueError && error.cause.code === 'UNAVAILABLE');
});

it('has deleted a file that is gone after a lost answer, but not one that never was', async () => {
  const { transport } = createTestTransport(server);
  const files = new PayoutFiles(transport, { now: () => 0, pause: async () => undefined });
  const gone = refusal(404, 'PAYOUT_FILE_NOT_FOUND');
  server.play('reset', gone);
  assert.deepEqual(await files.delete('f1'), { id: 'f1' });
  assert.equal(server.requests.length, 2);
  server.play(gone);
  assert.equal((await errorOf(files.delete('f1'))).code, 'PAYOUT_FILE_NOT_FOUND');
  server.play(refusal(429, 'RATE_LIMITED', { retryable: true }), gone);
  assert.equal((await errorOf(files.delete('f1'))).code, 'PAYOUT_FILE_NOT_FOUND');
});

it('refuses a time that is none, or longer than a week', async () => {
  const { transport } = createTestTransport(server);
  const files = new PayoutFiles(transport, { now: () => 0, pause: async () => undefined });
  server.play(success({ state: 'done' }));
  const code = 'INVALID_ARGUMENT';
  for (const timeoutMs of [Number.NaN, -1, 604_800_001, Number.POSITIVE_INFINITY]) {
    await assert.rejects(files.waitUntilChecked('f1', { timeoutMs }), { code });
    await assert.rejects(files.waitUntilEnded('f1', { timeoutMs }), { code });
  }
  assert.equal(server.requests.length, 0);
  await files.waitUntilEnded('f1', { timeoutMs: 604_800_000 });
});
