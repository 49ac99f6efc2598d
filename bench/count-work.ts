import { parseArgs } from 'node:util';
import { EXIT_INTERRUPTED, stopOnSignal } from '../scripts/stop-on-signal.ts';
import { openBenchServer, withBenchDatabase } from './database/bench-database.ts';
import { createTargets } from './database/create-targets.ts';
import { openPipeline, runPipeline } from './scenarios/end-to-end.ts';
import { type RunningSide, startSide } from './sides/running-side.ts';
import { startStatementCounter } from './work/statement-counter.ts';
import { type Rows, readWritten, writtenBetween } from './work/written-rows.ts';

/**
 * Counts what PostgreSQL does for one live payout, from the request to the webhook: statements, rows and bytes of its
 * log. The path is that of the scenario end-to-end.
 *
 *     node scripts/run.mjs bench/count-work.ts [--connections 256] [--seconds 3]
 */
const { values } = parseArgs({
  options: {
    connections: { type: 'string', default: '256' },
    seconds: { type: 'string', default: '3' },
  },
});

const WALLETS = 1;
/** Rarer work, such as what a timer does, is left out of the table. */
const SHOWN_FROM = 0.0005;
const WIDTH = 62;

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const signal = stopOnSignal(say, EXIT_INTERRUPTED);
const trip = {
  measureMs: 1_000 * Number(values.seconds),
  signal,
  connections: Number(values.connections),
};
const tidyUps: (() => Promise<void>)[] = [];
const afterwards = (tidyUp: () => Promise<void>) => void tidyUps.unshift(tidyUp);

const server = await openBenchServer({ say: () => undefined });
try {
  await server.prepare((database) => createTargets({ database, signal }, WALLETS));
  const counter = await startStatementCounter(server.serviceUrlOf(await server.create('unused')));
  afterwards(counter.close);
  const counted = {
    ...server,
    serviceUrlOf: (url: string) => counter.through(server.serviceUrlOf(url)),
  };
  const side = async (spec: Parameters<typeof startSide>[1]): Promise<RunningSide> => {
    const started = await startSide({ server: counted, walletsTotal: WALLETS, signal, say }, spec);
    afterwards(started.end);
    return started;
  };
  const pipeline = await openPipeline({ signal, server: counted, side, afterwards });
  await runPipeline(trip, pipeline);
  await withBenchDatabase(pipeline.databaseUrl, async (database) => {
    const before = await readWritten(database);
    const already = pipeline.count.accepted;
    counter.take();
    const { perSecond } = await runPipeline(trip, pipeline);
    const statements = counter.take();
    const written = writtenBetween(before, await readWritten(database));
    const payouts = pipeline.count.accepted - already;
    const each = (count: number) => (count / payouts).toFixed(3).padStart(10);

    say(`${payouts} payouts, ${Math.round(perSecond)} a second, ${trip.connections} connections`);
    say(`\n${'statements for each payout'.padEnd(WIDTH)}`);
    const all = [...statements].toSorted(([, one], [, other]) => other - one);
    for (const [name, count] of all) {
      if (count / payouts >= SHOWN_FROM) say(`${name.padEnd(WIDTH)}${each(count)}`);
    }
    say(`${'all'.padEnd(WIDTH)}${each(all.reduce((sum, [, count]) => sum + count, 0))}`);

    say(`\n${'rows for each payout'.padEnd(WIDTH)}  inserted   updated  in place   deleted`);
    const rowsOf = ({ inserted, updated, inPlace, deleted }: Rows) =>
      [inserted, updated, inPlace, deleted].map(each).join('');
    for (const [name, rows] of written.tables) {
      const all = rows.inserted + rows.updated + rows.deleted;
      if (all / payouts >= SHOWN_FROM) say(`${name.padEnd(WIDTH)}${rowsOf(rows)}`);
    }
    say(`${'all'.padEnd(WIDTH)}${rowsOf(sumOf([...written.tables.values()]))}`);
    say(`\n${"bytes of PostgreSQL's log for each payout".padEnd(WIDTH)}${each(written.walBytes)}`);
  });
} finally {
  for (const tidyUp of tidyUps) await tidyUp();
  await server.close();
}

function sumOf(all: readonly Rows[]): Rows {
  const sum = (count: keyof Rows) => all.reduce((total, rows) => total + rows[count], 0);
  return {
    inserted: sum('inserted'),
    updated: sum('updated'),
    inPlace: sum('inPlace'),
    deleted: sum('deleted'),
  };
}
