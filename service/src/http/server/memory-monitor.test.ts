import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { routeOf, startServer, VALID_KEY } from '../../../test/http-server.ts';
import { pollUntil } from '../../../test/poll.ts';
import { MemoryMonitor } from './memory-monitor.ts';
import { createProcessMemory } from './process-memory.ts';

const MIB = 1_024 * 1_024;

function watchFake() {
  const state = { live: 0, garbage: 0, resident: 100 * MIB, nowMs: 0, calls: 0, collections: 0 };
  const drop = () => {
    state.garbage = 0;
    state.collections += 1;
  };
  const watch = new MemoryMonitor({
    heap: () => ({ usedBytes: state.live + state.garbage, limitBytes: 100 }),
    residentBytes: () => state.resident,
    collect: drop,
    giveBack: () => {
      drop();
      state.resident = 110 * MIB;
    },
    callsBegun: () => state.calls,
    monotonicMs: () => state.nowMs,
  });
  return { state, watch };
}

describe('MemoryMonitor', () => {
  it('reports high memory if live objects fill the heap, not if garbage does', () => {
    const { state, watch } = watchFake();
    Object.assign(state, { live: 40, garbage: 55 });
    watch.check();
    assert.equal(watch.isHigh, false);
    assert.equal(state.collections, 1);
    Object.assign(state, { live: 85, nowMs: 3_000 });
    watch.check();
    assert.equal(watch.isHigh, true);
    state.live = 60;
    watch.check();
    assert.equal(watch.isHigh, false);
  });

  it('does not collect continuously while memory is full', () => {
    const { state, watch } = watchFake();
    state.live = 90;
    for (let count = 0; count < 20; count += 1) {
      state.nowMs += 100;
      watch.check();
    }
    assert.equal(state.collections, 1);
    assert.equal(watch.isHigh, true);
  });

  it('returns memory to the system when there is little to do, and only once', () => {
    const { state, watch } = watchFake();
    state.resident = 300 * MIB;
    for (let second = 0; second < 30; second += 1) {
      state.nowMs += 1_000;
      state.calls += 400;
      watch.check();
    }
    assert.equal(state.collections, 0, 'not while a client sends one call after the other');
    for (let second = 0; second < 60; second += 1) {
      state.nowMs += 1_000;
      state.calls += 20;
      watch.check();
    }
    assert.equal(state.collections, 1);
  });

  it('keeps what a busy service takes, for the next busy time', () => {
    const { state, watch } = watchFake();
    state.resident = 220 * MIB;
    for (let second = 0; second < 60; second += 1) {
      state.nowMs += 1_000;
      watch.check();
    }
    assert.equal(state.collections, 0);
  });

  it('measures this process', () => {
    const memory = createProcessMemory();
    const { usedBytes, limitBytes } = memory.heap();
    assert.ok(usedBytes > MIB && usedBytes < limitBytes);
    assert.ok(memory.residentBytes() > usedBytes);
    memory.collect();
    memory.giveBack();
  });
});

describe('a server whose memory is full', () => {
  it('refuses everything but health and metrics, and recovers', async () => {
    const things = routeOf({}, async () => ({ status: 200, message: 'Done', data: { word: 'x' } }));
    let usedBytes = 0;
    const served = await startServer([things], {
      limits: { checkIntervalMs: 10, lingerMs: 50 },
      memory: {
        heap: () => ({ usedBytes, limitBytes: 100 }),
        residentBytes: () => 0,
        collect: () => undefined,
        giveBack: () => undefined,
      },
    });
    const call = () =>
      served.send({ path: '/api/v1/payments/things', headers: { 'x-api-key': VALID_KEY } });
    assert.equal((await call()).status, 200);
    usedBytes = 90;
    await pollUntil('it is noticed', async () => (await call()).status === 503);
    const refused = await call();
    assert.equal(refused.headers['retry-after'], '1');
    assert.equal(JSON.parse(refused.text).data.error.code, 'UNAVAILABLE');
    assert.equal((await served.send({ path: '/docs' })).status, 503);
    assert.equal((await served.send({ path: '/health/live' })).status, 200);
    assert.equal((await served.send({ path: '/metrics' })).status, 200);
    usedBytes = 0;
    await pollUntil('it recovers', async () => (await call()).status === 200);
    await served.stop();
  });
});
