import { type BenchServer, withBenchDatabase } from '../database/bench-database.ts';
import { problemsInDatabases, type SideDatabases } from '../database/check-side.ts';
import { loadHistory } from '../database/load-history.ts';
import { moveToSecondServer } from '../database/move-to-second-server.ts';
import { publishPolicies } from '../database/publish-policy.ts';
import { spreadOverCells } from '../database/spread-over-cells.ts';
import { waitUntilSettled } from '../database/wait-until-settled.ts';
import type { LoadPlan, LoadReport } from '../load/load-plan.ts';
import { runLoad } from '../load/run-load.ts';
import { AnswerCounter } from './answer-counter.ts';
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

/** The environment variable with the address of the second server. */
const SECOND_VARIABLE = 'SECOND_DATABASE_URL';

/** What is sent to a side, and for how long; the side fills in the rest of the plan. */
type SideLoad = Omit<LoadPlan, 'port' | 'sequenceBefore'>;

/** CPU time for one item, in microseconds; undefined if the system does not report it. */
export type Cost = Readonly<{ serverUs: number; postgresUs: number }>;

export type SideReport = LoadReport & Readonly<{ cost: Cost | undefined }>;

type Ends = Readonly<{
  /** Ends the load early. */
  enough?: Promise<unknown>;
  /** Resolves when all is done that the load began: what it costs until then counts, too. */
  done?: (report: LoadReport) => Promise<unknown>;
}>;

/** A server under measurement, with its own database. */
export type RunningSide = Readonly<{
  databaseUrl: string | undefined;
  url(): string;
  measure(load: SideLoad, ends?: Ends): Promise<SideReport>;
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
  const databases = spec.hasDatabase ? await makeDatabases(deps, spec) : undefined;
  const databaseUrl = databases?.url;
  const start = (env: Readonly<Record<string, string>>) =>
    startServer({
      script: spec.script,
      port: spec.port,
      env: { ...env, ...placesOf(deps, databases) },
      signal,
    });
  let server: ServerProcess = await start(spec.env);
  const answers = new AnswerCounter(spec);
  let sequence = 0;
  return {
    databaseUrl,
    url: () => `http://127.0.0.1:${server.port}`,
    async measure(load, { enough, done } = {}) {
      const before = costSoFar(deps, spec, server);
      try {
        const report = await runLoad(enough === undefined ? { signal } : { signal, enough }, {
          ...load,
          port: server.port,
          sequenceBefore: sequence,
        });
        sequence = report.sequenceAfter;
        const items = answers.note(load.workload, report);
        await done?.(report);
        return { ...report, cost: costOf(before, costSoFar(deps, spec, server), items) };
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        const says = `${spec.name} could not be measured: ${reason}`;
        throw new Error(`${says}\nIt printed last:\n${server.lastOutput()}`, { cause: error });
      }
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
      if (databases === undefined) return answers.problems();
      const wanted = {
        accepted: answers.accepted,
        history: spec.historyPerWallet * deps.walletsTotal,
        settles: spec.settles,
      };
      return [...answers.problems(), ...(await problemsInDatabases(databases, wanted))];
    },
    end: () => server.kill(),
  };
}

async function makeDatabases(deps: SideDeps, spec: SideSpec): Promise<SideDatabases> {
  const url = await deps.server.clone(databaseName(spec));
  if (spec.historyPerWallet > 0) {
    const transfers = spec.historyPerWallet * deps.walletsTotal;
    deps.say(`loading ${transfers.toLocaleString('en-GB')} finished transfers`);
    await loadHistory(url, {
      transfersPerWallet: spec.historyPerWallet,
      isWhole: spec.hasWholeHistory,
      endsAt: new Date(),
      signal: deps.signal,
    });
  }
  if (spec.policyRules > 0) await publishPolicies(url, spec.policyRules);
  if (spec.cells > 1) {
    const role = new URL(deps.server.serviceUrlOf(url)).username;
    await spreadOverCells(url, { cells: spec.cells, role });
  }
  const { secondServer } = spec;
  if (secondServer === undefined) return { url, second: undefined };
  const second = await secondServer.create(databaseName(spec));
  const serviceUrl = secondServer.serviceUrlOf(second);
  const role = new URL(serviceUrl).username;
  await moveToSecondServer({ from: url, to: second, role, urlVariable: SECOND_VARIABLE });
  return { url, second: { url: second, serviceUrl } };
}

function databaseName({ name }: SideSpec): string {
  return `bench_${name.replaceAll('-', '_')}`;
}

function placesOf(
  { server }: SideDeps,
  databases: SideDatabases | undefined,
): Record<string, string> {
  if (databases === undefined) return { DATA_DIR: server.folder };
  const { url, second } = databases;
  return {
    DATA_DIR: server.folder,
    DATABASE_URL: server.serviceUrlOf(url),
    MIGRATION_DATABASE_URL: url,
    ...(second !== undefined && {
      [SECOND_VARIABLE]: second.serviceUrl,
      [`MIGRATION_${SECOND_VARIABLE}`]: second.url,
    }),
  };
}

type Used = Readonly<{ serverUs: number | undefined; postgresUs: number | undefined }>;

/** Of PostgreSQL: all server processes of the servers that the side uses. */
function costSoFar({ server }: SideDeps, spec: SideSpec, { pid }: ServerProcess): Used {
  const { secondServer } = spec;
  const secondUs = secondServer === undefined ? 0 : secondServer.cpuUs();
  const postgresUs = (server.cpuUs() ?? Number.NaN) + (secondUs ?? Number.NaN);
  return { serverUs: cpuUsOf(pid), postgresUs };
}

function costOf(before: Used, after: Used, items: number): Cost | undefined {
  const serverUs = (after.serverUs ?? Number.NaN) - (before.serverUs ?? Number.NaN);
  const postgresUs = (after.postgresUs ?? Number.NaN) - (before.postgresUs ?? Number.NaN);
  if (Number.isNaN(serverUs + postgresUs) || items === 0) return undefined;
  return { serverUs: serverUs / items, postgresUs: postgresUs / items };
}
