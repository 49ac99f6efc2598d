import { type BenchServer, withBenchDatabase } from '../database/bench-database.ts';
import { problemsInDatabase } from '../database/check-side.ts';
import { loadHistory } from '../database/load-history.ts';
import { publishPolicies } from '../database/publish-policy.ts';
import { spreadOverCells } from '../database/spread-over-cells.ts';
import { waitUntilSettled } from '../database/wait-until-settled.ts';
import type { LoadPlan, LoadReport } from '../load/load-plan.ts';
import { runLoad } from '../load/run-load.ts';
import { AnswerBook } from './answer-book.ts';
import { cpuUsOf, residentMbOf } from './read-process.ts';
import { type ServerProcess, startServer } from './server-process.ts';
import type { SideSpec } from './side-spec.ts';

export type SideDeps = Readonly<{
  server: BenchServer;
  /** How many wallets every database has. */
  walletsTotal: number;
  signal: AbortSignal;
  say: (line: string) => void;
}>;

/** What is sent to a side, and for how long; the side fills in the rest of the plan. */
type SideLoad = Omit<LoadPlan, 'port' | 'sequenceBefore'>;

/** CPU time for one item, in microseconds; undefined if the system does not report it. */
export type Cost = Readonly<{ serverUs: number; postgresUs: number }>;

export type SideReport = LoadReport & Readonly<{ cost: Cost | undefined }>;

/** A server under measurement, with its own database. */
export type RunningSide = Readonly<{
  databaseUrl: string | undefined;
  url(): string;
  /** `enough` ends the load early. */
  measure(load: SideLoad, enough?: Promise<unknown>): Promise<SideReport>;
  residentMb(): number | undefined;
  /** The same database, another process: its earlier answers still count in the check. */
  restart(env: Readonly<Record<string, string>>): Promise<void>;
  /** Stops the server and compares its database with all its answers. Returns the problems, in words. */
  finish(): Promise<readonly string[]>;
  /** Stops the server in any case. */
  end(): Promise<void>;
}>;

export async function startSide(deps: SideDeps, spec: SideSpec): Promise<RunningSide> {
  const { signal } = deps;
  const databaseUrl = spec.hasDatabase ? await makeDatabase(deps, spec) : undefined;
  const start = (env: Readonly<Record<string, string>>) =>
    startServer({
      script: spec.script,
      port: spec.port,
      env: { ...env, ...placesOf(deps, databaseUrl) },
      signal,
    });
  let server: ServerProcess = await start(spec.env);
  const answers = new AnswerBook(spec);
  let sequence = 0;
  return {
    databaseUrl,
    url: () => `http://127.0.0.1:${server.port}`,
    async measure(load, enough) {
      const before = costSoFar(deps, server);
      const report = await runLoad(enough === undefined ? { signal } : { signal, enough }, {
        ...load,
        port: server.port,
        sequenceBefore: sequence,
      });
      sequence = report.sequenceAfter;
      const items = answers.note(load.workload, report);
      return { ...report, cost: costOf(before, costSoFar(deps, server), items) };
    },
    residentMb: () => residentMbOf(server.pid),
    async restart(env) {
      await server.kill();
      server = await start(env);
    },
    async finish() {
      if (spec.settles && databaseUrl !== undefined) {
        await withBenchDatabase(databaseUrl, (database) => waitUntilSettled({ database, signal }));
      }
      await server.kill();
      if (databaseUrl === undefined) return answers.problems();
      const wanted = {
        accepted: answers.accepted,
        history: spec.historyPerWallet * deps.walletsTotal,
        settles: spec.settles,
      };
      return [...answers.problems(), ...(await problemsInDatabase(databaseUrl, wanted))];
    },
    end: () => server.kill(),
  };
}

async function makeDatabase(deps: SideDeps, spec: SideSpec): Promise<string> {
  const url = await deps.server.clone(databaseName(spec));
  if (spec.historyPerWallet > 0) {
    const transfers = spec.historyPerWallet * deps.walletsTotal;
    deps.say(`loading ${transfers.toLocaleString('en-GB')} finished transfers`);
    const history = { transfersPerWallet: spec.historyPerWallet, endsAt: new Date() };
    await loadHistory(url, history);
  }
  if (spec.policyRules > 0) await publishPolicies(url, spec.policyRules);
  if (spec.cells > 1) {
    const role = new URL(deps.server.serviceUrlOf(url)).username;
    await spreadOverCells(url, { cells: spec.cells, role });
  }
  return url;
}

function databaseName({ name }: SideSpec): string {
  return `bench_${name.replaceAll('-', '_')}`;
}

function placesOf({ server }: SideDeps, databaseUrl: string | undefined): Record<string, string> {
  if (databaseUrl === undefined) return { DATA_DIR: server.folder };
  return {
    DATA_DIR: server.folder,
    DATABASE_URL: server.serviceUrlOf(databaseUrl),
    MIGRATION_DATABASE_URL: databaseUrl,
  };
}

type Used = Readonly<{ serverUs: number | undefined; postgresUs: number | undefined }>;

function costSoFar(deps: SideDeps, { pid }: ServerProcess): Used {
  return { serverUs: cpuUsOf(pid), postgresUs: deps.server.cpuUs() };
}

function costOf(before: Used, after: Used, items: number): Cost | undefined {
  const serverUs = (after.serverUs ?? Number.NaN) - (before.serverUs ?? Number.NaN);
  const postgresUs = (after.postgresUs ?? Number.NaN) - (before.postgresUs ?? Number.NaN);
  if (Number.isNaN(serverUs + postgresUs) || items === 0) return undefined;
  return { serverUs: serverUs / items, postgresUs: postgresUs / items };
}
