import assert from 'node:assert/strict';
import { it } from 'node:test';
import { startRawServer } from '../../../test/fakes/raw-server.ts';
import { createMerchantLines } from './merchant-lines.ts';

const ONE = new URL('http://localhost:1/');
const OTHER = new URL('http://localhost:2/');

function linesAt(clock: { nowMs: number }) {
  return createMerchantLines({
    resolve: async () => ['127.0.0.1'],
    isOwn: () => false,
    monotonicMs: () => clock.nowMs,
  });
}

it('keeps a line to a host while it is used, and forgets it afterwards', () => {
  const clock = { nowMs: 0 };
  const lines = linesAt(clock);
  const first = lines.to(ONE);
  assert.notEqual(lines.to(OTHER), first);
  assert.notEqual(lines.anewTo(ONE), first);
  for (const nowMs of [3_000, 6_000, 9_000]) {
    clock.nowMs = nowMs;
    assert.equal(lines.to(ONE), first);
  }
  clock.nowMs = 14_000;
  lines.to(OTHER);
  assert.notEqual(lines.to(ONE), first);
  lines.destroy();
});

it('keeps a line while a request is under way on it', async (t) => {
  const server = await startRawServer(() => undefined);
  t.after(() => server.close());
  const url = new URL(server.baseUrl);
  const clock = { nowMs: 0 };
  const lines = linesAt(clock);
  const line = lines.to(url);
  const sent = line.send({
    method: 'POST',
    path: '/',
    headers: {},
    body: '{}',
    timeoutMs: 60_000,
    readBytesMax: 1,
  });
  clock.nowMs = 20_000;
  lines.to(OTHER);
  assert.equal(lines.to(url), line);
  lines.destroy();
  assert.notEqual((await sent).kind, 'answered');
});
