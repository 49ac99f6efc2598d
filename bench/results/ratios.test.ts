import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Turn } from '../scenario.ts';
import type { Round } from './measured.ts';
import { ratiosOf } from './ratios.ts';

function round(perSecond: number, latencyMs = 1, figures: Record<string, number> = {}): Round {
  const full: Turn = {
    perSecond,
    latencyMs: { count: 1, p50: latencyMs, p90: latencyMs, p99: latencyMs, max: latencyMs },
    loadCpuShare: 0,
    cost: undefined,
    figures,
  };
  return { full, paced: null };
}

function ratioOf(key: string, turns: Record<string, readonly Round[]>) {
  return ratiosOf(new Map(Object.entries(turns))).find((ratio) => ratio.key === key);
}

describe('ratios', () => {
  it('are the median of the ratios of each round', () => {
    const hot = [round(600), round(100), round(500)];
    // The machine was ten times slower in the second round, for both.
    const ceiling = [round(1_000), round(200), round(1_000)];
    const ratio = ratioOf('hot_ceiling', { 'initiate-hot': hot, ceiling });
    assert.equal(ratio?.value, 0.5);
    assert.equal(ratio?.reached, true);
    assert.equal(ratio?.goalReached, false);
  });

  it('are left out if one side was not measured', () => {
    assert.deepEqual(ratiosOf(new Map([['ceiling', [round(1)]]])), []);
  });

  it('treat latencies and memory as better when small, and throughput when large', () => {
    const latency = { 'initiate-low': [round(1, 3)], 'per-request-low': [round(1, 2)] };
    assert.equal(ratioOf('low_latency', latency)?.reached, false);
    const memory = { 'backlog-drain': [round(1, 1, { memoryMb: 200 })] };
    assert.equal(ratioOf('backlog_memory_mb', memory)?.value, 200);
    assert.equal(ratioOf('backlog_memory_mb', memory)?.goalReached, true);
  });

  it('show the CPU of the measured side, server and PostgreSQL together', () => {
    const costing = (serverUs: number, postgresUs: number): Round => {
      const { full, paced } = round(1);
      return { full: { ...full, cost: { serverUs, postgresUs } }, paced };
    };
    const hot = [costing(100, 10), costing(300, 30), costing(200, 20)];
    const ceiling = [costing(1, 0), costing(1, 0), costing(1, 0)];
    assert.equal(ratioOf('hot_ceiling', { 'initiate-hot': hot, ceiling })?.cpuUs, 220);
    const unknown = { 'initiate-hot': [round(1)], ceiling: [round(1)] };
    assert.equal(ratioOf('hot_ceiling', unknown)?.cpuUs, null);
  });

  it('leave out memory if the system does not report it', () => {
    const memory = { 'backlog-drain': [round(1, 1, { memoryMb: Number.NaN })] };
    assert.equal(ratioOf('backlog_memory_mb', memory), undefined);
  });
});
