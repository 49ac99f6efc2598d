import { type BenchServer, withBenchDatabase } from './bench-database.ts';
import { problemsInDatabase, unwantedAnswers } from './check-round.ts';
import type { LoadPlan, LoadReport } from './load-plan.ts';
import { runLoad } from './run-load.ts';
import { type Scenario, SERVER_SCRIPTS } from './scenarios.ts';
import { startServer } from './server-process.ts';
import type { Target } from './transfer-request.ts';

export type RoundDeps = Readonly<{
  server: BenchServer;
  targets: readonly Target[];
  signal: AbortSignal;
}>;

export type Round = Readonly<{
  report: LoadReport;
  /** A round with any of these is no result. */
  problems: readonly string[];
}>;

/** Payouts stay under way for longer than any run: what is measured is their acceptance alone. */
const SANDBOX_DELAY_MS = '600000';

const SETTINGS: Readonly<Record<string, string>> = {
  RATE_LIMIT_PER_SECOND: '0',
  LOG_LEVEL: 'error',
  SANDBOX_DELAY_MS,
};

/** One scenario once, on a fresh process and a fresh copy of the same database. */
export async function runRound(
  deps: RoundDeps,
  scenario: Scenario,
  times: Pick<LoadPlan, 'warmUpMs' | 'measureMs'>,
): Promise<Round> {
  if (scenario.side === 'ceiling') {
    const report = await measure(deps, scenario, times, {});
    return { report, problems: unwantedAnswers(report) };
  }
  const clone = await deps.server.clone('bench_round');
  try {
    const report = await measure(deps, scenario, times, { ...SETTINGS, DATABASE_URL: clone.url });
    const problems = await withBenchDatabase(clone.url, (database) =>
      problemsInDatabase(database, report),
    );
    return { report, problems: [...unwantedAnswers(report), ...problems] };
  } finally {
    await clone.drop();
  }
}

async function measure(
  { targets, signal }: RoundDeps,
  scenario: Scenario,
  times: Pick<LoadPlan, 'warmUpMs' | 'measureMs'>,
  env: Readonly<Record<string, string>>,
): Promise<LoadReport> {
  const server = await startServer({ script: SERVER_SCRIPTS[scenario.side], env, signal });
  try {
    return await runLoad(
      { signal },
      {
        ...times,
        port: server.port,
        connections: scenario.connections,
        targets: targets.slice(0, scenario.wallets),
        openLoopShare: scenario.openLoopShare,
      },
    );
  } finally {
    await server.kill();
  }
}
