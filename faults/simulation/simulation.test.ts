import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { volume } from '../../scripts/test-volume.ts';
import { renderSimulation } from './render-simulation.ts';
import { runSchedule } from './run-schedule.ts';
import { runSimulation } from './run-simulation.ts';

const SCHEDULES = volume({ usual: 60, full: 2_000 });

it(`finds no violation in ${SCHEDULES} schedules`, async () => {
  const summary = await runSimulation({ firstSeed: 1, schedules: SCHEDULES });
  assert.equal(summary.violations, 0, renderSimulation(summary));
  assert.equal(summary.schedules, SCHEDULES);
  assert.ok(summary.transfers > 20 * SCHEDULES, 'hardly any transfers were made');
});

describe('a seed', () => {
  it('decides everything: the same seed gives the same trace, also after other seeds', async () => {
    const before = await runSchedule({ seed: 7, keepLines: true });
    await runSchedule({ seed: 8 });
    const after = await runSchedule({ seed: 7 });
    assert.equal(after.digest, before.digest);
    assert.equal(after.steps, before.steps);
  });

  it('gives another trace than another seed', async () => {
    const seeds = Array.from({ length: 8 }, (_, index) => index + 1);
    const digests: string[] = [];
    for (const seed of seeds) digests.push((await runSchedule({ seed })).digest);
    assert.equal(new Set(digests).size, seeds.length);
  });

  it('restores the timers of the process', async () => {
    const { setTimeout: before } = globalThis;
    await runSchedule({ seed: 1 });
    assert.equal(globalThis.setTimeout, before);
    await new Promise((resolve) => setTimeout(resolve, 1));
  });
});

describe('the worlds', () => {
  const SEEN = [
    / → (submitting|submitted|in_doubt|succeeded|failed|cancelled|reversed|queued) /,
    /(scheduled → queued|scheduled → awaiting_approval|queued → awaiting_approval) /,
    /awaiting_approval → (queued|scheduled|cancelled) /,
    /(a person decided|a person was too late)$/,
    /refused (INSUFFICIENT_BALANCE|DUPLICATE_REFERENCE)/,
    /commit: (answer lost|never arrived|answered slowly|committed late)/,
    /(dies|starts|goes on)$/,
    /claimed in (queued|submitting|submitted|in_doubt|succeeded|failed)/,
    /answers process\S+ (paid|rejected|pending|unknown|notFound|returned|mismatched|throttled|unanswered|nothing)/,
    /(sent to) \S+ by \S+ while in_doubt/,
    /calls about \S+: (paid|failed|pending)/,
    /a callback (is taken as an answer) by/,
    /(answered 201|answered 201 once more|answered 503|answered that it is cancelled|not cancelled)$/,
  ];

  it('contain every kind of event', async () => {
    const missing = new Set(
      SEEN.flatMap((pattern) => {
        const choices = /\(([^()]+)\)/.exec(pattern.source)?.[1]?.split('|') ?? [];
        return choices.map((choice) => `${pattern.source}: ${choice}`);
      }),
    );
    assert.ok(missing.size > 0);
    for (let seed = 1; seed <= 100 && missing.size > 0; seed += 1) {
      const { lines } = await runSchedule({ seed, keepLines: true });
      for (const { text } of lines) {
        for (const pattern of SEEN) {
          const word = pattern.exec(text)?.[1];
          if (word !== undefined) missing.delete(`${pattern.source}: ${word}`);
        }
      }
    }
    assert.deepEqual([...missing], []);
  });
});

it('stops on a signal, with the results so far', async () => {
  const stop = new AbortController();
  const summary = await runSimulation({
    firstSeed: 1,
    schedules: 1_000_000,
    onProgress: () => stop.abort(),
    signal: stop.signal,
  });
  assert.ok(summary.schedules < 1_000_000);
});

it('the threads run each seed once', async () => {
  const alone = await runSimulation({ firstSeed: 5, schedules: 7, workers: 1 });
  const shared = await runSimulation({ firstSeed: 5, schedules: 7, workers: 3 });
  assert.equal(shared.schedules, 7);
  assert.deepEqual([shared.transfers, shared.steps], [alone.transfers, alone.steps]);
});

it('a violation is shown with its seed, its invariant, a timeline and the command to replay it', () => {
  const text = renderSimulation({
    firstSeed: 41,
    schedules: 2,
    transfers: 60,
    steps: 3_000,
    violations: 1,
    redSchedules: 1,
    red: [
      {
        seed: 42,
        findings: [{ invariant: 'I5', transferId: 't-1', says: 'it is paid 2 times' }],
        lines: [
          { atMs: 900, subject: 't-2', text: 'another' },
          { atMs: 1_000, subject: 't-1', text: 'stored' },
          { atMs: 1_001, subject: 'process-1-1', text: 'dies' },
          { atMs: 2_500, subject: 't-1', text: 'sent' },
        ],
      },
    ],
    elapsedMs: 10,
    schedulesPerMinute: 12_000,
  });
  for (const part of ['seed 42', 'I5: it is paid 2 times', '2.500 s  sent', 'process-1-1 dies']) {
    assert.ok(text.includes(part), part);
  }
  assert.ok(text.includes('npm run faults -- --simulate 1 --seed 42'));
  assert.ok(!text.includes('another'));
});
