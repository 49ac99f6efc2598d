import { type Country, Kafue, type KafueError, type Operator } from '../../../sdk/src/index.ts';
import { CliProblem, EXIT, type ExitCode } from '../cli-problem.ts';
import type { CliProcess } from '../cli-process.ts';
import { explainError } from '../explain-error.ts';
import { type Access, type AccessOptions, findAccess, keyMissing } from '../find-access.ts';
import { formatCount } from '../format-table.ts';
import { type PayoutFile, readPayoutFile } from '../payout-file/read-payout-file.ts';
import { createProgress } from '../progress.ts';
import { describePayment } from './describe-payment.ts';
import { countOutcomes } from './line-outcome.ts';
import {
  checkBalances,
  type Preparation,
  prepareOffline,
  preparePayment,
} from './prepare-payment.ts';
import { renderAmounts, renderPreview } from './render-preview.ts';
import { type FinishedLine, renderProblems, renderSummary } from './render-summary.ts';
import { checkResultPlace } from './result-file.ts';
import { sendAndFollow } from './send-and-follow.ts';

/** A person waits for the preview; a payroll can wait for a service that restarts. */
const PREVIEW_RETRIES_MAX = 1;
const SEND_RETRIES_MAX = 6;
const SEND_TIMEOUT_MS = 60_000;
/** Below this the lookup is over before a person could read how far it is. */
const LOOKUP_SHOWN_FROM = 1_000;

export type PayOptions = AccessOptions &
  Readonly<{
    wallet?: string | undefined;
    country?: Country | undefined;
    operator?: Operator | undefined;
    batch?: string | undefined;
    chunkSize: number;
    result?: string | undefined;
    watchMinutes: number;
    yes?: boolean;
    watch?: boolean;
    dryRun?: boolean;
    json?: boolean;
    ignoreColumns?: boolean;
    retryFailed?: boolean;
    allowShortBalance?: boolean;
    /** Pay it as a payout file of the service. */
    asFile?: boolean;
    payAt?: string | undefined;
  }>;

export type PayDeps = CliProcess &
  Readonly<{
    /** For people: standard output, or standard error where that belongs to JSON. */
    say: (text: string) => void;
    resolvePath: (path: string) => string;
  }>;

type Run = Readonly<{
  path: string;
  resultPath: string;
  file: PayoutFile;
  preparation: Preparation;
  options: PayOptions;
}>;

/** Checks all of the file, shows what is left to pay, asks, sends, and keeps what became of it. */
export async function payFile(deps: PayDeps, path: string, options: PayOptions): Promise<ExitCode> {
  const warn = (line: string): void => deps.writeError(`${line}\n`);
  const access = await findAccess({ ...deps, warn }, options);
  if (access === undefined && options.dryRun !== true) throw keyMissing();
  const file = await readPayoutFile(deps.resolvePath(path), toFileRules(options, access));
  if (file.problems.length > 0) {
    deps.say(`${renderProblems(path, file.problems)}\n`);
    if (options.json === true)
      writeJson(deps, { file: path, sent: false, problems: file.problems });
    return EXIT.badFile;
  }
  const resultPath = deps.resolvePath(options.result ?? resultPathOf(path));
  const preparation =
    access === undefined ? prepareOffline(file) : await prepare(deps, file, { access, options });
  const run: Run = { path, resultPath, file, preparation, options };
  const { batch = '' } = options;
  const preview = renderPreview({ path, file, preparation, mode: access?.mode, batch });
  deps.say(`${preview}\n\n`);
  if (access === undefined || options.dryRun === true) return endDryRun(deps, run);
  checkBalances(preparation.wallets, { allowShort: options.allowShortBalance === true });
  await checkResultPlace(resultPath, deps.resolvePath(path));
  if (!(await isAgreed(deps, run, access))) {
    deps.say('Nothing was sent.\n');
    return EXIT.incomplete;
  }
  return payAndReport(deps, run, access);
}

/** `salaries.result.csv` beside `salaries.csv`. */
function resultPathOf(path: string): string {
  return `${path.replace(/\.csv$/i, '')}.result.csv`;
}

function toFileRules(options: PayOptions, access: Access | undefined) {
  const { wallet, country, operator, batch = '', ignoreColumns = false } = options;
  const walletIds = wallet === undefined ? (access?.walletIds ?? {}) : { zm: wallet, ng: wallet };
  return { defaults: { operator, country, walletIds }, batch, ignoreColumns };
}

async function prepare(
  deps: PayDeps,
  file: PayoutFile,
  { access, options }: Readonly<{ access: Access; options: PayOptions }>,
): Promise<Preparation> {
  const { apiKey, baseUrl } = access;
  const kafue = new Kafue({ apiKey, baseUrl, maxRetries: PREVIEW_RETRIES_MAX });
  const total = file.payouts.length;
  const isTerminal = deps.isTerminal.error;
  const progress = createProgress(deps.writeError, { verb: 'Looked up', total, isTerminal });
  let lookedUp = 0;
  const onLookedUp = (count: number): void => {
    lookedUp = Math.min(lookedUp + count, total);
    if (isTerminal && total >= LOOKUP_SHOWN_FROM) progress.show(lookedUp, 'what was sent before');
  };
  try {
    const retryFailed = options.retryFailed === true;
    return await preparePayment({ kafue, stop: deps.stop, onLookedUp }, file, { retryFailed });
  } catch (error) {
    const { exitCode, message, advice } = explainError(error);
    throw new CliProblem(exitCode, `${message} Nothing was sent.`, advice);
  } finally {
    progress.end();
  }
}

/** Ends as the run would that stops before the first payment. */
function endDryRun(deps: PayDeps, { path, preparation, options }: Run): ExitCode {
  const { totals, wallets } = preparation;
  if (options.json === true) {
    writeJson(deps, { file: path, sent: false, ...describePayment(totals) });
  }
  deps.say('A dry run: nothing was sent.\n');
  try {
    checkBalances(wallets, { allowShort: options.allowShortBalance === true });
    return EXIT.done;
  } catch (error) {
    if (!(error instanceof CliProblem)) throw error;
    deps.writeError(`${error.message}\n${error.advice}\n`);
    return error.exitCode;
  }
}

async function isAgreed(deps: PayDeps, run: Run, access: Access): Promise<boolean> {
  const { totals } = run.preparation;
  if (run.options.yes === true || totals.payouts === 0) return true;
  if (!deps.isTerminal.input) {
    throw new CliProblem(
      EXIT.usage,
      'There is no terminal to answer whether to pay. Nothing was sent.',
      'Look at it with --dry-run, then give --yes.',
    );
  }
  const people = totals.payouts === 1 ? '1 person' : `${formatCount(totals.payouts)} people`;
  const money = access.mode === 'live' ? ' of real money' : '';
  const amounts = `${renderAmounts(totals.byCurrency)}${money}`;
  const answer = await deps.ask(`Pay ${people} ${amounts}? (yes/no) `, deps.stop);
  return answer.trim().toLowerCase() === 'yes';
}

async function payAndReport(deps: PayDeps, run: Run, access: Access): Promise<ExitCode> {
  const { file, resultPath, options, preparation } = run;
  const { apiKey, baseUrl } = access;
  const kafue = new Kafue({
    apiKey,
    baseUrl,
    maxRetries: SEND_RETRIES_MAX,
    timeoutMs: SEND_TIMEOUT_MS,
  });
  const place = { path: resultPath, format: file.format };
  const watchMs = options.watch === true ? options.watchMinutes * 60_000 : undefined;
  const { chunkSize } = options;
  const { lines, endedBy } = await sendAndFollow({ ...deps, kafue, place }, preparation.lines, {
    chunkSize,
    watchMs,
  });
  const exitCode = judge(lines, { endedBy, wasWatched: options.watch === true });
  deps.say(`${renderSummary(lines, resultPath)}\n`);
  if (endedBy !== undefined) deps.writeError(`Ended early: ${explainError(endedBy).message}\n`);
  if (options.json === true) {
    writeJson(deps, {
      file: run.path,
      sent: true,
      mode: access.mode,
      ...describePayment(preparation.totals),
      counts: countOutcomes(lines.map(({ outcome }) => outcome)),
      resultFile: resultPath,
      exitCode,
    });
  }
  return exitCode;
}

function judge(
  lines: readonly FinishedLine[],
  { endedBy, wasWatched }: Readonly<{ endedBy: KafueError | undefined; wasWatched: boolean }>,
): ExitCode {
  if (endedBy !== undefined) return explainError(endedBy).exitCode;
  const { accepted, already_sent, statuses } = countOutcomes(lines.map(({ outcome }) => outcome));
  const isAllTaken = accepted + already_sent === lines.length;
  const unpaid = statuses.failed + statuses.cancelled + statuses.reversed;
  const isStillWatched = wasWatched && statuses.pending > 0;
  return isAllTaken && unpaid === 0 && !isStillWatched ? EXIT.done : EXIT.incomplete;
}

function writeJson({ writeOut }: PayDeps, value: unknown): void {
  writeOut(`${JSON.stringify(value, null, 2)}\n`);
}
