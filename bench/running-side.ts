import { type BenchServer, withBenchDatabase } from './bench-database.ts';
import { problemsInDatabase, unwantedAnswers } from './check-side.ts';
import type { PhaseResult } from './load-phases.ts';
import type { LoadPlan } from './load-plan.ts';
import { runLoad } from './run-load.ts';
import { type Scenario, SERVER_SCRIPTS, type Side } from './scenarios.ts';
import { startServer } from './server-process.ts';
import type { Target } from './transfer-request.ts';

export type SideDeps = Readonly<{
  server: BenchServer;
  targets: readonly Target[];
  signal: AbortSignal;
}>;

export type Loop = Pick<LoadPlan, 'warmUpMs' | 'measureMs' | 'ratePerSecond'>;

/** One of the servers that are compared, with a database of its own. */
export type RunningSide = Readonly<{
  measure(scenario: Scenario, loop: Loop): Promise<PhaseResult>;
  /** Stops the server and holds its database against all it answered. What is wrong, in words. */
  finish(): Promise<readonly string[]>;
  /** Stops the server, whatever happened before. */
  end(): Promise<void>;
}>;

/** The longest that the sandbox knows; an operator that is down stays so for three times as long. */
const SANDBOX_DELAY_MS = '600000';

const SETTINGS = { RATE_LIMIT_PER_SECOND: '0', LOG_LEVEL: 'error', SANDBOX_DELAY_MS };

export async function startSide(deps: SideDeps, side: Side): Promise<RunningSide> {
  const { signal, targets } = deps;
  const databaseUrl = side === 'ceiling' ? undefined : await cloneFor(deps, side);
  const env = databaseUrl === undefined ? {} : { ...SETTINGS, DATABASE_URL: databaseUrl };
  const server = await startServer({ script: SERVER_SCRIPTS[side], env, signal });
  const answers = new Map<string, number>();
  let answered = 0;
  return {
    async measure(scenario, loop) {
      const { result, statuses } = await runLoad(
        { signal },
        {
          ...loop,
          port: server.port,
          connections: scenario.connections,
          targets: targets.slice(0, scenario.wallets),
          sequenceBefore: answered,
        },
      );
      for (const [status, count] of Object.entries(statuses)) {
        answers.set(status, (answers.get(status) ?? 0) + count);
        answered += count;
      }
      return result;
    },
    async finish() {
      await server.kill();
      if (databaseUrl === undefined) return unwantedAnswers(answers);
      const inDatabase = await withBenchDatabase(databaseUrl, (database) =>
        problemsInDatabase(database, answers),
      );
      return [...unwantedAnswers(answers), ...inDatabase];
    },
    end: () => server.kill(),
  };
}

function cloneFor({ server }: SideDeps, side: Side): Promise<string> {
  return server.clone(`bench_${side.replace('-', '_')}`);
}
