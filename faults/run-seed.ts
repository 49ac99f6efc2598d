import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunReport } from './checker/check-run.ts';
import { type Found, report, type Violation } from './checker/violation.ts';
import { FACTS_FILE, LOGS_FOLDER, REPORT_FILE, type RunFacts } from './journal/exchange-record.ts';
import { digestPlan, makePlan } from './plan/make-plan.ts';
import type { Plan } from './plan/plan.ts';
import type { PlanSize } from './plan/plan-size.ts';
import { runChecker, type ServerUrls } from './run-checker.ts';
import { runWorkload } from './run-workload.ts';
import { findPostmaster } from './target/data-folder.ts';
import type { InjectedFault } from './target/inject-faults.ts';
import { prepareMerchants } from './target/prepare-merchants.ts';
import { openTestSystem, type TestSystem } from './target/test-system.ts';

export type SeedResult = Readonly<{
  seed: number;
  cells: number;
  digest: string;
  elapsedMs: number;
  violations: readonly Violation[];
  seen: RunReport['seen'] | undefined;
  flagged: number;
  /** The number of payments that operators executed. */
  paid: number;
  faultsPlanned: number;
  faultsDone: number;
  /** Kinds of faults that this machine does not allow. */
  skipped: readonly string[];
  /** How often a service ended by itself and was restarted by its supervisor. */
  ownEnds: number;
  /** How often a process died or stopped at each named point of its code. */
  failpoints: Readonly<Record<string, number>>;
  /** The folder of the run; undefined: removed, because nothing was violated. */
  folder: string | undefined;
}>;

export type SeedOptions = Readonly<{
  seed: number;
  size: PlanSize;
  /** How many cells there are. */
  cells: number;
  /** The folder of all runs; this one gets a folder in it. */
  runsFolder: string;
  keep: boolean;
  signal: AbortSignal;
  /** Reports progress. */
  say: (phase: string) => void;
  /** Called with the database of a finished run before it is removed. */
  beforeRemoval?: (urls: ServerUrls, folder: string) => Promise<void>;
}>;

/** Runs one seed against the real service, from an empty folder to the checker's report. */
export async function runSeed(options: SeedOptions): Promise<SeedResult> {
  const startedMs = performance.now();
  const plan = makePlan(options.seed, options.size, options.cells);
  const folder = join(options.runsFolder, String(options.seed));
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'plan.json'), `${JSON.stringify(plan, null, 2)}\n`);
  const result = await runToItsEnd({ options, plan, folder });
  const wrong = result.violations.length > 0 && !options.signal.aborted;
  const kept = options.keep || wrong;
  if (!kept) await rm(folder, { recursive: true, force: true });
  return {
    ...result,
    seed: options.seed,
    cells: options.cells,
    digest: digestPlan(plan),
    elapsedMs: Math.round(performance.now() - startedMs),
    faultsPlanned: plan.faults.length + ((plan.cells?.away ?? null) === null ? 0 : 1),
    folder: kept ? folder : undefined,
  };
}

type Stage = Readonly<{ options: SeedOptions; plan: Plan; folder: string }>;

type Outcome = Pick<
  SeedResult,
  'violations' | 'seen' | 'flagged' | 'paid' | 'faultsDone' | 'skipped' | 'ownEnds' | 'failpoints'
>;

const UNFINISHED = 'the run could not be finished';

/** Why a run could not be finished, for example because the service did not start; undefined: it was. */
export function whyUnfinished(violations: readonly Violation[]): string | undefined {
  const found = violations.find(({ says }) => says === UNFINISHED);
  return found === undefined ? undefined : `${UNFINISHED}: ${String(found.evidence['error'])}`;
}

/** A run that cannot be finished, for example because the service does not come back, counts as a violation. */
async function runToItsEnd(stage: Stage): Promise<Outcome> {
  let system: TestSystem | undefined;
  try {
    stage.options.say('starting');
    system = await openTestSystem(stage.plan, stage.folder, stage.options.signal);
    return await runOn(stage, system);
  } catch (error) {
    const violations: Found = [];
    const evidence = { error: error instanceof Error ? error.stack : String(error) };
    report(violations, 'evidence', {}, UNFINISHED, evidence);
    const nothing = {
      seen: undefined,
      flagged: 0,
      paid: 0,
      faultsDone: 0,
      skipped: [],
      ownEnds: 0,
      failpoints: {},
    };
    return { violations, ...nothing };
  } finally {
    if (system !== undefined) await keepLog(system);
    await system?.close();
  }
}

async function keepLog({ database, cellServer, folder }: TestSystem): Promise<void> {
  if (cellServer !== undefined) {
    const kept = join(folder, 'second-postgres.log');
    await copyFile(join(cellServer.dataDir, 'postgres.log'), kept).catch(() => undefined);
  }
  // There is no log when the server was never created.
  await copyFile(join(database.dataDir, 'postgres.log'), join(folder, 'postgres.log')).catch(
    () => undefined,
  );
}

async function runOn({ options, folder }: Stage, system: TestSystem): Promise<Outcome> {
  const { signal, say } = options;
  const { access, controlAccess, steady } = await prepareMerchants(system);
  const facts = JSON.parse(await readFile(join(folder, FACTS_FILE), 'utf8')) as RunFacts;
  const workload = await runWorkload({ system, access, controlAccess, steady, facts, signal, say });
  say('checking');
  const postmaster = await findPostmaster(system.database.dataDir);
  const second = await system.cellServer?.find();
  const checked = await runChecker(folder, {
    first: postmaster?.databaseUrl,
    second: second?.databaseUrl,
  });
  await writeFile(join(folder, REPORT_FILE), `${JSON.stringify(checked, null, 2)}\n`);
  if (postmaster !== undefined) {
    const urls = { first: postmaster.databaseUrl, second: second?.databaseUrl };
    await options.beforeRemoval?.(urls, folder);
  }
  const ownEnds = system.services.flatMap(({ process }) => process.ownEnds());
  if (ownEnds.length > 0) {
    report(workload.violations, 'I13', {}, 'a service ended without being killed', { ownEnds });
  }
  return {
    violations: [...workload.violations, ...checked.violations],
    seen: checked.seen,
    flagged: checked.flagged,
    paid: checked.paid,
    faultsDone: count(workload.faults, 'done').length,
    skipped: count(workload.faults, 'skipped'),
    ownEnds: ownEnds.length,
    failpoints: await countFailpoints(system),
  };
}

/** Reads the logs, to which a process writes the failpoint before it dies there. */
async function countFailpoints({
  services,
  folder,
}: TestSystem): Promise<SeedResult['failpoints']> {
  const counts: Record<string, number> = {};
  for (const index of services.keys()) {
    const log = await readFile(join(folder, LOGS_FOLDER, `service-${index}.log`), 'utf8');
    for (const [, name = ''] of log.matchAll(/^failpoint (\S+) SIG/gm)) {
      counts[name] = (counts[name] ?? 0) + 1;
    }
  }
  return counts;
}

function count(faults: readonly InjectedFault[], result: InjectedFault['result']): string[] {
  return faults.filter((fault) => fault.result === result).map(({ fault }) => fault.kind);
}
