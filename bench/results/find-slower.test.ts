import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findSlower } from './find-slower.ts';
import { historyName, NoHistory, type Past, readPast, toPast } from './history.ts';

const PAST: Past = {
  version: '1.2.3',
  day: '2026-11-16',
  machine: {
    cores: 2,
    cpu: 'Intel(R) Xeon(R) Processor',
    memoryGib: 24,
    platform: 'linux x64',
    node: 'v24.21.0',
    postgres: '18.4',
  },
  ratios: { hot_ceiling: 0.5, low_latency: 1, backlog_memory_mb: 200 },
  scenarios: { 'initiate-hot': { perSecond: 1_000, serverUs: 100, postgresUs: 80 } },
};

const now = (change: Partial<Past>): readonly string[] =>
  findSlower(PAST, { ...PAST, ...change }).slower;
const hot = (change: object) =>
  now({
    scenarios: { 'initiate-hot': { perSecond: 1_000, serverUs: 100, postgresUs: 80, ...change } },
  });

describe('what became slower', () => {
  it('is nothing up to a tenth, nor what became faster', () => {
    assert.deepEqual(now({}), []);
    assert.deepEqual(now({ ratios: { hot_ceiling: 0.46, low_latency: 1.09 } }), []);
    assert.deepEqual(now({ ratios: { hot_ceiling: 5, low_latency: 0.1 } }), []);
    assert.deepEqual(hot({ perSecond: 910, serverUs: 110, postgresUs: 8 }), []);
  });

  it('names each ratio by its own direction', () => {
    assert.deepEqual(now({ ratios: { hot_ceiling: 0.4, low_latency: 1.2 } }), [
      'hot_ceiling: 0.5 before, 0.4 now, slower by 25 %',
      'low_latency: 1 before, 1.2 now, slower by 20 %',
    ]);
    assert.equal(now({ ratios: { backlog_memory_mb: 300 } }).length, 1);
  });

  it('names microseconds and figures per second', () => {
    assert.deepEqual(hot({ perSecond: 500, serverUs: 111, postgresUs: 160 }), [
      'initiate-hot, per second: 1000 before, 500 now, slower by 100 %',
      'initiate-hot, µs in the server: 100 before, 111 now, slower by 11 %',
      'initiate-hot, µs in PostgreSQL: 80 before, 160 now, slower by 100 %',
    ]);
  });

  it('compares only what both measured', () => {
    assert.deepEqual(now({ ratios: { growth: 0.1 } }), []);
    assert.deepEqual(hot({ serverUs: null }), []);
    assert.deepEqual(
      now({ scenarios: { bulk: { perSecond: 1, serverUs: 1, postgresUs: 1 } } }),
      [],
    );
  });

  it('is told by ratios alone on another kind of machine', () => {
    const machine = { ...PAST.machine, cpu: 'Neoverse-N1' };
    const scenarios = { 'initiate-hot': { perSecond: 1, serverUs: 900, postgresUs: 900 } };
    const other = findSlower(PAST, { ...PAST, machine, scenarios, ratios: { hot_ceiling: 0.4 } });
    assert.deepEqual([other.sameKind, other.slower.length], [false, 1]);
  });
});

describe('the history', () => {
  it('has one file for each kind of machine and version', () => {
    assert.equal(historyName(PAST), 'linux-x64-intel-r-xeon-r-processor-2-cores-1.2.3.json');
  });

  it('keeps ratios and microseconds of a result', () => {
    const summary = { perSecond: 7, serverUs: 1.5, postgresUs: null };
    const past = toPast(
      {
        machine: PAST.machine,
        ratios: [{ key: 'growth', value: 0.91234 }] as never,
        scenarios: new Map([['read', { ...summary, what: 'more' } as never]]),
      },
      { version: '1.2.3', at: new Date('2026-11-16T10:00:00Z') },
    );
    assert.deepEqual(past, { ...PAST, ratios: { growth: 0.912 }, scenarios: { read: summary } });
  });

  it('reads what it stored, and says which file it cannot read', () => {
    const stored = new URL(
      '../history/linux-arm64-neoverse-n1-2-cores-0.1.0.json',
      import.meta.url,
    );
    assert.equal(readPast(stored.pathname).machine.cpu, 'Neoverse-N1');
    for (const file of ['/nowhere.json', new URL('../package.json', import.meta.url).pathname]) {
      assert.throws(() => readPast(file), NoHistory, file);
    }
  });
});
