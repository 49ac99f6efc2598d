import { basename } from 'node:path';
import { type Country, Kafue, KafueError, type Operator } from '../../../sdk/src/index.ts';
import { CliProblem, EXIT, type ExitCode } from '../cli-problem.ts';
import type { CliProcess } from '../cli-process.ts';
import { explainError } from '../explain-error.ts';
import { type Access, type AccessOptions, findAccess, keyMissing } from '../find-access.ts';
import { formatCount } from '../format-table.ts';
import type { LineProblem } from '../payout-file/payout.ts';
import { type PayoutFile, readPayoutFile } from '../payout-file/read-payout-file.ts';
import { createProgress } from '../progress.ts';
import { describePayment } from './describe-payment.ts';
import {
  checkBalances,
  type Preparation,
  prepareOffline,
  preparePayment,
  toPay,
} from './prepare-payment.ts';
import { refuseSimilar } from './refuse-similar.ts';
import { renderAmounts, renderPreview } from './render-preview.ts';
import { renderProblems } from './render-summary.ts';
import { reportPayment } from './report-payment.ts';
import { checkResultPlace } from './result-file.ts';
import { submitAndFollow } from './submit-and-follow.ts';
import {
  areSentMeanwhile,
  deleteDrafts,
  explainWarnings,
  readProblems,
  type UploadDeps,
  type UploadedFile,
  uploadFiles,
} from './upload-files.ts';

/** Few retries before the preview, because a person waits. More when sending, to outlast a restart of the service. */
const PREVIEW_RETRIES_MAX = 1;
const SEND_RETRIES_MAX = 6;
const SEND_TIMEOUT_MS = 60_000;
/** For fewer lines no progress is shown: the lookup ends before a person could read it. */
const LOOKUP_SHOWN_FROM = 1_000;
const MS_PER_MINUTE = 60_000;

export type PayOptions = AccessOptions &
  Readonly<{
    wallet?: string | undefined;
    country?: Country | undefined;
    operator?: Operator | undefined;
    batch?: string | undefined;
    result?: string | undefined;
    watchMinutes: number;
    yes?: boolean;
    watch?: boolean;
    dryRun?: boolean;
    json?: boolean;
    ignoreColumns?: boolean;
    retryFailed?: boolean;
    allowShortBalance?: boolean;
    allowCancelled?: boolean;
    allowSimilar?: boolean;
    /** Pay it at this time. */
    payAt?: string | undefined;
  }>;

export type PayDeps = CliProcess &
  Readonly<{
    /** Text for people: standard output, or standard error when JSON goes to standard output. */
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

/**
 * Checks the whole file, shows what is left to pay, uploads it as payout files, which the service checks, asks for
 * confirmation, submits them, and writes the result of each line. A later run, also after a crash, continues with the
 * same files.
 */
export async function payFile(deps: PayDeps, path: string, options: PayOptions): Promise<ExitCode> {
  const warn = (line: string): void => deps.writeError(`${line}\n`);
  const access = await findAccess({ ...deps, warn }, options);
  if (access === undefined && options.dryRun !== true) throw keyMissing();
  const file = await readPayoutFile(deps.resolvePath(path), toFileRules(options, access));
  if (file.problems.length > 0) return endBadFile(deps, { path, options }, file.problems);
  if (file.referencesAre === 'given' && options.batch !== undefined) throw batchWithReferences();
  const resultPath = deps.resolvePath(options.result ?? resultPathOf(path));
  const preparation =
    access === undefined ? prepareOffline(file) : await prepare(deps, file, { access, options });
  const run: Run = { path, resultPath, file, preparation, options };
  const { batch = '' } = options;
  const preview = renderPreview({ path, file, preparation, mode: access?.mode, batch });
  deps.say(`${preview}\n\n`);
  if (preparation.stoppedBy !== undefined) throw preparation.stoppedBy;
  if (access === undefined) return endDryRun(deps, run);
  if (options.dryRun !== true) await checkBegin(deps, run);
  const { apiKey, baseUrl } = access;
  const kafue = new Kafue({
    apiKey,
    baseUrl,
    maxRetries: SEND_RETRIES_MAX,
    timeoutMs: SEND_TIMEOUT_MS,
  });
  return payUploaded(deps, run, { access, kafue });
}

function batchWithReferences(): CliProblem {
  return new CliProblem(
    EXIT.usage,
    '--batch has no effect on a file with references. Nothing was sent.',
    'Drop --batch. To pay the same people once more, give the lines new references.',
  );
}

type Service = Readonly<{ access: Access; kafue: Kafue }>;

/** Finds problems that would stop the run later, before anything is uploaded. */
async function checkBegin(deps: PayDeps, { path, resultPath, preparation, options }: Run) {
  checkBalances(preparation.wallets, { allowShort: options.allowShortBalance === true });
  await checkResultPlace(resultPath, deps.resolvePath(path));
  const isUnasked = options.yes === true || preparation.totals.payouts === 0;
  if (isUnasked || deps.isTerminal.input) return;
  throw new CliProblem(
    EXIT.usage,
    'There is no terminal to answer whether to pay. Nothing was sent.',
    'Look at it with --dry-run, then give --yes.',
  );
}

/** Uploads what is left to pay, and submits it once a person agrees. If the person refuses, the drafts are deleted. */
async function payUploaded(deps: PayDeps, run: Run, service: Service): Promise<ExitCode> {
  const { path, options, preparation } = run;
  const calls = { kafue: service.kafue, stop: deps.stop };
  const uploaded = await upload(calls, run);
  let isAgreedTo = false;
  try {
    const problems = await readProblems(calls, uploaded);
    if (areSentMeanwhile(uploaded)) throw sentMeanwhile();
    if (problems.length > 0) return endBadFile(deps, { path, options }, problems);
    const warnings = explainWarnings(uploaded);
    if (warnings.length > 0) deps.say(`${warnings.join('\n')}\n\n`);
    const isToldApart = run.file.referencesAre === 'given' || options.batch !== undefined;
    if (!isToldApart && options.allowSimilar !== true) {
      await refuseSimilar(calls, uploaded, preparation.lines);
    }
    if (options.dryRun === true) return endDryRun(deps, run);
    isAgreedTo = await isAgreed(deps, run, service.access);
    if (!isAgreedTo) {
      deps.say('Nothing was sent.\n');
      return EXIT.incomplete;
    }
  } finally {
    if (!isAgreedTo) await deleteDrafts(calls, uploaded);
  }
  const finished = await submitAndFollow({ ...deps, kafue: service.kafue }, preparation.lines, {
    uploaded,
    rules: {
      payAt: options.payAt,
      watchMs: options.watchMinutes * MS_PER_MINUTE,
      toTheEnd: options.watch === true,
    },
  });
  return reportPayment(
    { ...deps, kafue: service.kafue },
    {
      path,
      result: { path: run.resultPath, format: run.file.format },
      mode: service.access.mode,
      finished,
      payAt: options.payAt,
      wasWatched: options.watch === true,
      asJson: options.json === true,
    },
  );
}

function sentMeanwhile(): CliProblem {
  return new CliProblem(
    EXIT.incomplete,
    'Another run is sending the same lines. Nothing was sent by this one.',
    'Run the same command again to follow them.',
  );
}

async function upload(
  calls: UploadDeps,
  { path, preparation, options }: Run,
): Promise<readonly UploadedFile[]> {
  try {
    const allowCancelled = options.allowCancelled === true;
    const rules = { name: basename(path), allowCancelled };
    return await uploadFiles(calls, toPay(preparation.lines), rules);
  } catch (error) {
    if (error instanceof CliProblem) throw error;
    // A key with only the right to read can still make a dry run.
    const isForbidden = error instanceof KafueError && error.code === 'FORBIDDEN';
    if (isForbidden && options.dryRun === true) return [];
    const { exitCode, message, advice } = explainError(error);
    throw new CliProblem(exitCode, `${message} Nothing was sent.`, advice);
  }
}

function endBadFile(
  deps: PayDeps,
  { path, options }: Pick<Run, 'path' | 'options'>,
  problems: readonly LineProblem[],
): ExitCode {
  deps.say(`${renderProblems(path, problems)}\n`);
  if (options.json === true) writeJson(deps, { file: path, sent: false, problems });
  return EXIT.badFile;
}

/** `salaries.result.csv` beside `salaries.csv`. */
function resultPathOf(path: string): string {
  return `${path.replace(/\.(csv|xlsx)$/i, '')}.result.csv`;
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
    return await preparePayment({ kafue, stop: deps.stop, onLookedUp }, file, {
      retryFailed: options.retryFailed === true,
      allowCancelled: options.allowCancelled === true,
      allowSimilar: options.allowSimilar === true,
    });
  } catch (error) {
    const { exitCode, message, advice } = explainError(error);
    throw new CliProblem(exitCode, `${message} Nothing was sent.`, advice);
  } finally {
    progress.end();
  }
}

/** Ends with the error that a real run would stop with before the first payment. */
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
  const people = totals.payouts === 1 ? '1 person' : `${formatCount(totals.payouts)} people`;
  const money = access.mode === 'live' ? ' of real money' : '';
  const amounts = `${renderAmounts(totals.byCurrency)}${money}`;
  const answer = await deps.ask(`Pay ${people} ${amounts}? (yes/no) `, deps.stop);
  return answer.trim().toLowerCase() === 'yes';
}

function writeJson({ writeOut }: PayDeps, value: unknown): void {
  writeOut(`${JSON.stringify(value, null, 2)}\n`);
}
