import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { EXIT_INTERRUPTED, stopOnSignal } from '../scripts/stop-on-signal.ts';
import { openBenchServer } from './database/bench-database.ts';
import { createTargets } from './database/create-targets.ts';
import { median } from './load/latencies.ts';
import { PAYING_PHONE, WAITING_PHONE } from './load/transfer-request.ts';
import type { Turn } from './scenario.ts';
import { loadRunner } from './scenarios/load-runner.ts';
import { settleFor } from './scenarios/settle.ts';
import { startSide } from './sides/running-side.ts';
import { SETTLING, serviceSide } from './sides/side-spec.ts';

/**
 * Measures what a change costs or gains: the same load for the services of several source trees, alternately. It
 * compares the CPU time of one transfer, which other programs on the machine disturb less than the clock time.
 *
 *     node bench/compare-trees.ts --tree before=../old --tree after=. [--wallets 1] [--rounds 10]
 *       [--connections 256] [--settle] [--alone]
 *
 * The first tree must be the oldest: databases begin with its migrations.
 */
const { values } = parseArgs({
  options: {
    tree: { type: 'string', multiple: true, default: [] },
    wallets: { type: 'string', default: '1' },
    connections: { type: 'string', default: '256' },
    rounds: { type: 'string', default: '10' },
    /** Two processes of the same code differ by some percent, so each tree gets several. */
    copies: { type: 'string', default: '2' },
    seconds: { type: 'string', default: '1' },
    settle: { type: 'boolean', default: false },
    /** Starts one process after the other, so that PostgreSQL works for one of them only. */
    alone: { type: 'boolean', default: false },
  },
});

const trees = values.tree.map((text) => {
  const [name = '', path = '.'] = text.split('=');
  return { name, path: resolve(path) };
});
const say = (line: string): void => void process.stderr.write(`${line}\n`);
const signal = stopOnSignal(say, EXIT_INTERRUPTED);
const wallets = Number(values.wallets);
const measureMs = 1_000 * Number(values.seconds);

type Competitor = Readonly<{ name: string; run: () => Promise<Turn>; end: () => Promise<void> }>;

const server = await openBenchServer({ say: () => undefined });
const competitors: Competitor[] = [];
const turns = new Map<string, Turn[]>(trees.map(({ name }) => [name, []]));
try {
  const targets = await server.prepare((database) => createTargets({ database, signal }, wallets));
  const context = { measureMs, signal, targets };
  const deps = { server, walletsTotal: wallets, signal, say };
  const rounds = Number(values.rounds);
  for (let copy = 1; copy <= Number(values.copies); copy += 1) {
    for (const tree of inTurn(trees, copy)) {
      const competitor = await startCompetitor(tree, copy);
      competitors.push(competitor);
      if (values.alone) await measureAlone(competitor, rounds);
    }
  }
  for (let round = 1; round <= rounds; round += 1) {
    for (const competitor of inTurn(competitors, round)) await measure(competitor);
  }

  async function startCompetitor(
    { name, path }: Readonly<{ name: string; path: string }>,
    copy: number,
  ): Promise<Competitor> {
    const script = join(path, 'service/src/main.ts');
    const changes = values.settle ? { ...SETTLING, script } : { script };
    const spec = { ...serviceSide(name, changes), name: `${name}_${copy}` };
    const side = await startSide(deps, spec);
    const phone = values.settle ? PAYING_PHONE : WAITING_PHONE;
    const runner = loadRunner(context, {
      name,
      what: '',
      side,
      connections: Number(values.connections),
      workload: { kind: 'transfers', targets, phone },
      isPaced: false,
    });
    await runner.warmUp();
    const run = values.settle ? () => settleFor(context, side, measureMs) : runner.run;
    return { name, run, end: side.end };
  }
  for (const [name, taken] of turns) process.stdout.write(`${describe(name, taken)}\n`);
} finally {
  for (const { end } of competitors) await end();
  await server.close();
}

async function measure({ name, run }: Competitor): Promise<void> {
  turns.get(name)?.push(await run());
}

async function measureAlone(competitor: Competitor, rounds: number): Promise<void> {
  const { name } = competitor;
  for (let round = 1; round <= rounds; round += 1) await measure(competitor);
  await competitor.end();
  competitors.pop();
  say(describe(name, turns.get(name)?.slice(-rounds) ?? []));
}

/** Every second time in reverse, so that none always runs after the same one. */
function inTurn<T>(all: readonly T[], time: number): readonly T[] {
  return time % 2 === 0 ? all : all.toReversed();
}

function describe(name: string, taken: readonly Turn[]): string {
  const serverUs = taken.flatMap(({ cost }) => cost?.serverUs ?? []);
  const postgresUs = taken.flatMap(({ cost }) => cost?.postgresUs ?? []);
  const speeds = taken.map(({ perSecond }) => perSecond);
  const p50s = taken.map(({ latencyMs }) => latencyMs.p50);
  return (
    `${name.padEnd(12)} server ${low(serverUs)} (${middle(serverUs)}) µs, ` +
    `PostgreSQL ${low(postgresUs)} (${middle(postgresUs)}) µs, ` +
    `${middle(speeds)}/s, at best ${Math.max(...speeds).toFixed(0)}/s, p50 ${median(p50s).toFixed(2)} ms`
  );
}

/** The first quartile: disturbances only ever increase the figure. */
function low(figures: readonly number[]): string {
  const sorted = [...figures].sort((left, right) => left - right);
  return (sorted[Math.floor(sorted.length / 4)] ?? Number.NaN).toFixed(1);
}

function middle(figures: readonly number[]): string {
  return median(figures).toFixed(1);
}
