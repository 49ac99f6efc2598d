import { type Country, Kafue, type KafueError, type Operator } from '../../../sdk/src/index.ts';
import { CliProblem, EXIT, type ExitCode } from '../cli-problem.ts';
import type { CliProcess } from '../cli-process.ts';
import { explainError } from '../explain-error.ts';
import { type Access, type AccessOptions, findAccess, keyMissing } from '../find-access.ts';
import { formatCount } from '../format-table.ts';
import { type PayoutFile, readPayoutFile } from '../payout-file/read-payout-file.ts';
import { createProgress } from '../progress.ts';
import { describePayment } from './describe-payment.ts';
import { countOutcomes, type LineOutcome } from './line-outcome.ts';
import { readWallets, type WalletView } from './read-wallets.ts';
import { renderAmounts, renderPreview } from './render-preview.ts';
import { renderCounts, renderProblems, renderStatuses, renderSummary } from './render-summary.ts';
import { checkResultPlace, writeResult } from './result-file.ts';
import { sendPayouts } from './send-payouts.ts';
import { type Totals, totalPayouts } from './total-payouts.ts';
import { watchTransfers } from './watch-transfers.ts';

/** A person waits for the preview; a payroll can wait for a service that restarts. */
const PREVIEW_RETRIES_MAX = 1;
const SEND_RETRIES_MAX = 6;
const SEND_TIMEOUT_MS = 60_000;

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
  totals: Totals;
  options: PayOptions;
}>;

/** Checks all of the file, shows what it comes to, asks, sends, and keeps what became of it. */
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
  const run: Run = { path, resultPath, file, totals: totalPayouts(file.payouts), options };
  const wallets = access === undefined ? [] : await readWalletsOf(access, run.totals);
  const { batch = '' } = options;
  const mode = access?.mode;
  const preview = renderPreview({ path, file, totals: run.totals, mode, wallets, batch });
  deps.say(`${preview}\n\n`);
  if (access === undefined || options.dryRun === true) return endDryRun(deps, run);
  await checkResultPlace(resultPath, deps.resolvePath(path));
  if (!(await isAgreed(deps, run, access))) {
    deps.say('Nothing was sent.\n');
    return EXIT.incomplete;
  }
  return sendAndKeep(deps, run, access);
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

async function readWalletsOf(access: Access, totals: Totals): Promise<readonly WalletView[]> {
  const { apiKey, baseUrl } = access;
  const kafue = new Kafue({ apiKey, baseUrl, maxRetries: PREVIEW_RETRIES_MAX });
  try {
    return await readWallets(kafue, totals.byWallet);
  } catch (error) {
    const { exitCode, message, advice } = explainError(error);
    throw new CliProblem(exitCode, `${message} Nothing was sent.`, advice);
  }
}

function endDryRun(deps: PayDeps, { path, totals, options }: Run): ExitCode {
  deps.say('A dry run: nothing was sent.\n');
  if (options.json === true)
    writeJson(deps, { file: path, sent: false, ...describePayment(totals) });
  return EXIT.done;
}

async function isAgreed(deps: PayDeps, { totals, options }: Run, access: Access): Promise<boolean> {
  if (options.yes === true) return true;
  if (!deps.isTerminal.input) {
    throw new CliProblem(
      EXIT.usage,
      'Nobody is there to answer whether to pay. Nothing was sent.',
      'Look at it with --dry-run, then give --yes.',
    );
  }
  const people = totals.payouts === 1 ? '1 person' : `${formatCount(totals.payouts)} people`;
  const money = access.mode === 'live' ? ' of real money' : '';
  const amounts = `${renderAmounts(totals.byCurrency)}${money}`;
  const answer = await deps.ask(`Pay ${people} ${amounts}? (yes/no) `, deps.stop);
  return answer.trim().toLowerCase() === 'yes';
}

async function sendAndKeep(deps: PayDeps, run: Run, access: Access): Promise<ExitCode> {
  const { file, resultPath, options } = run;
  const { apiKey, baseUrl } = access;
  const kafue = new Kafue({
    apiKey,
    baseUrl,
    maxRetries: SEND_RETRIES_MAX,
    timeoutMs: SEND_TIMEOUT_MS,
  });
  const place = { path: resultPath, format: file.format };
  const sent = await sendWithProgress(deps, run, kafue);
  let { outcomes, endedBy } = sent;
  await writeResult(place, file.payouts, outcomes);
  if (options.watch === true && endedBy === undefined && !deps.stop.aborted) {
    ({ outcomes, endedBy } = await watchWithProgress(deps, run, { kafue, sent: outcomes }));
    await writeResult(place, file.payouts, outcomes);
  }
  const exitCode = judge(outcomes, { endedBy, wasWatched: options.watch === true });
  deps.say(`${renderSummary(outcomes, resultPath)}\n`);
  if (endedBy !== undefined) deps.writeError(`Ended early: ${explainError(endedBy).message}\n`);
  if (options.json === true) {
    const counts = countOutcomes(outcomes);
    writeJson(deps, {
      file: run.path,
      sent: true,
      mode: access.mode,
      ...describePayment(run.totals),
      counts,
      resultFile: resultPath,
      exitCode,
    });
  }
  return exitCode;
}

async function sendWithProgress(deps: PayDeps, { file, options }: Run, kafue: Kafue) {
  const progress = createProgress(deps.writeError, {
    verb: 'Sent',
    total: file.payouts.length,
    isTerminal: deps.isTerminal.error,
  });
  const { chunkSize } = options;
  const onChunk = (outcomes: readonly LineOutcome[]): void =>
    progress.show(outcomes.length, renderCounts(outcomes));
  try {
    return await sendPayouts({ ...deps, kafue, onChunk }, file.payouts, { chunkSize });
  } finally {
    progress.end();
  }
}

async function watchWithProgress(
  deps: PayDeps,
  { options }: Run,
  { kafue, sent }: Readonly<{ kafue: Kafue; sent: readonly LineOutcome[] }>,
) {
  const transfers = sent.filter((outcome) => 'transfer' in outcome).length;
  const progress = createProgress(deps.writeError, {
    verb: 'Final',
    total: transfers,
    isTerminal: deps.isTerminal.error,
  });
  const onRound = (outcomes: readonly LineOutcome[]): void => {
    const { statuses } = countOutcomes(outcomes);
    progress.show(transfers - statuses.pending, renderStatuses(outcomes));
  };
  try {
    const watchMs = options.watchMinutes * 60_000;
    return await watchTransfers({ ...deps, kafue, onRound }, sent, { watchMs });
  } finally {
    progress.end();
  }
}

function judge(
  outcomes: readonly LineOutcome[],
  { endedBy, wasWatched }: Readonly<{ endedBy: KafueError | undefined; wasWatched: boolean }>,
): ExitCode {
  if (endedBy !== undefined) return explainError(endedBy).exitCode;
  const { accepted, already_sent, statuses } = countOutcomes(outcomes);
  const isAllTaken = accepted + already_sent === outcomes.length;
  const unpaid = statuses.failed + statuses.cancelled + statuses.reversed;
  const isStillWatched = wasWatched && statuses.pending > 0;
  return isAllTaken && unpaid === 0 && !isStillWatched ? EXIT.done : EXIT.incomplete;
}

function writeJson({ writeOut }: PayDeps, value: unknown): void {
  writeOut(`${JSON.stringify(value, null, 2)}\n`);
}
