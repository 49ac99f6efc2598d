import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunReport } from './checker/check-run.ts';
import { type Found, report, type Violation } from './checker/violation.ts';
import type { Access } from './clients/write-body.ts';
import { REPORT_FILE } from './journal/exchange-record.ts';
import { digestPlan, makePlan, type PlanSize } from './plan/make-plan.ts';
import type { Plan } from './plan/plan.ts';
import { playOut } from './play-out.ts';
import { runChecker } from './run-checker.ts';
import { createDataFolder, findPostmaster, removeDataFolder } from './target/data-folder.ts';
import { queryOnce } from './target/query-once.ts';
import { type ServiceProcess, superviseService } from './target/service-process.ts';
import { waitUntilReady } from './target/wait-for-quiet.ts';

const SANDBOX_DELAY_MS = 50;

export type SeedResult = Readonly<{
  seed: number;
  digest: string;
  elapsedMs: number;
  violations: readonly Violation[];
  seen: RunReport['seen'] | undefined;
  flagged: number;
  faultsPlanned: number;
  faultsDone: number;
  /** How often the service ended by itself, to be started again by its supervisor. */
  ownEnds: number;
  /** Where all of it is kept; undefined: removed, since nothing was wrong. */
  folder: string | undefined;
}>;

export type SeedOptions = Readonly<{
  seed: number;
  size: PlanSize;
  /** The folder of all runs; this one gets a folder in it. */
  runsFolder: string;
  keep: boolean;
  signal: AbortSignal;
  /** Gets a word on what goes on. */
  say: (phase: string) => void;
  /** For whoever wants to look at the database of a finished run before it is removed. */
  beforeRemoval?: (databaseUrl: string, folder: string) => Promise<void>;
}>;

/** One seed against the real thing, from an empty folder to the checker's word. */
export async function runSeed(options: SeedOptions): Promise<SeedResult> {
  const startedMs = performance.now();
  const plan = makePlan(options.seed, options.size);
  const folder = join(options.runsFolder, String(options.seed));
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'plan.json'), `${JSON.stringify(plan, null, 2)}\n`);
  const dataDir = await createDataFolder();
  const service = superviseService({
    env: environment(dataDir),
    logFile: join(folder, 'service.log'),
  });
  try {
    const result = await runToItsEnd({ options, plan, folder, dataDir, service });
    const wrong = result.violations.length > 0 && !options.signal.aborted;
    const kept = options.keep || wrong;
    if (kept) await keepLog(dataDir, folder);
    else await rm(folder, { recursive: true, force: true });
    return {
      ...result,
      seed: options.seed,
      digest: digestPlan(plan),
      elapsedMs: Math.round(performance.now() - startedMs),
      faultsPlanned: plan.faults.length,
      ownEnds: service.ownEnds().length,
      folder: kept ? folder : undefined,
    };
  } finally {
    await service.stop();
    await removeDataFolder(dataDir);
  }
}

type Stage = Readonly<{
  options: SeedOptions;
  plan: Plan;
  folder: string;
  dataDir: string;
  service: ServiceProcess;
}>;

type Outcome = Pick<SeedResult, 'violations' | 'seen' | 'flagged' | 'faultsDone'>;

/** A run that cannot be finished, such as on a service that stays away, is as red as any. */
async function runToItsEnd(stage: Stage): Promise<Outcome> {
  try {
    return await runOn(stage);
  } catch (error) {
    const violations: Found = [];
    const evidence = { error: error instanceof Error ? error.stack : String(error) };
    report(violations, 'evidence', {}, 'the run could not be finished', evidence);
    return { violations, seen: undefined, flagged: 0, faultsDone: 0 };
  }
}

async function keepLog(dataDir: string, folder: string): Promise<void> {
  // There is none when the server was never created.
  await copyFile(join(dataDir, 'postgres.log'), join(folder, 'postgres.log')).catch(
    () => undefined,
  );
}

async function runOn(stage: Stage): Promise<Outcome> {
  const { options, plan, folder, dataDir, service } = stage;
  const { signal, say } = options;
  say('starting');
  if (!(await waitUntilReady(service, signal))) throw new Error('the service did not start');
  const access = JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8')) as Access;
  await setFees(dataDir, plan);
  const played = await playOut({ plan, folder, dataDir, service, access, signal, say });
  say('checking');
  const postmaster = await findPostmaster(dataDir);
  const checked = await runChecker(folder, postmaster?.databaseUrl);
  await writeFile(join(folder, REPORT_FILE), `${JSON.stringify(checked, null, 2)}\n`);
  if (postmaster !== undefined) await options.beforeRemoval?.(postmaster.databaseUrl, folder);
  return {
    violations: [...played.violations, ...checked.violations],
    seen: checked.seen,
    flagged: checked.flagged,
    faultsDone: played.faultsDone,
  };
}

/** The demo merchant pays no fees; this one does, before anybody has asked for anything. */
async function setFees(dataDir: string, { fees }: Plan): Promise<void> {
  const postmaster = await findPostmaster(dataDir);
  if (postmaster === undefined) throw new Error('the database is not there');
  await queryOnce(
    postmaster.databaseUrl,
    `update books set fee_fixed_minor = $1, fee_basis_points = $2 where mode = 'test'`,
    [fees.fixedMinor, fees.basisPoints],
  );
}

function environment(dataDir: string): Readonly<Record<string, string>> {
  const inherited = ['PATH', 'HOME', 'NODE_COMPILE_CACHE', 'TMPDIR'].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    ...Object.fromEntries(inherited),
    PORT: '0',
    DATA_DIR: dataDir,
    SANDBOX_DELAY_MS: String(SANDBOX_DELAY_MS),
    RATE_LIMIT_PER_SECOND: '0',
  };
}
