import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { Kafue, KafueError, type PayoutFile } from '../../../sdk/src/index.ts';
import { CliProblem, EXIT, type ExitCode } from '../cli-problem.ts';
import { findAccess, keyMissing } from '../find-access.ts';
import { countOf, formatCount } from '../format-table.ts';
import { createProgress } from '../progress.ts';
import type { PayDeps, PayOptions } from './pay-file.ts';
import { checkResultPlace } from './result-file.ts';

const PROBLEMS_SHOWN_MAX = 50;
const LOOK_INTERVAL_MS = 1_000;
const RETRIES_MAX = 6;
const BAD_FILE_CODES: readonly string[] = ['FILE_UNREADABLE', 'BODY_TOO_LARGE'];

type Call = Readonly<{ kafue: Kafue; path: string; options: PayOptions; mode: string }>;

/**
 * Pays a file as a whole, as the console does: the service checks it, people approve it where the policy asks, and the
 * service pays it row by row. The upload is known by its content and --batch, so a run after a crash goes on with the
 * same file, whose rows are paid once.
 */
export async function payAsFile(
  deps: PayDeps,
  path: string,
  options: PayOptions,
): Promise<ExitCode> {
  const warn = (line: string): void => deps.writeError(`${line}\n`);
  const access = await findAccess({ ...deps, warn }, options);
  if (access === undefined) throw keyMissing();
  const { apiKey, baseUrl, mode } = access;
  const kafue = new Kafue({ apiKey, baseUrl, maxRetries: RETRIES_MAX });
  const call: Call = { kafue, path, options, mode };
  const uploaded = await upload(deps, call);
  const file = options.retryFailed === true ? await findRetry(call, uploaded) : uploaded;
  if (file.counts.problems > 0) return refuseProblems(deps, call, file);
  deps.say(`${describe(file, mode)}\n\n`);
  if (options.dryRun === true) return endDryRun(deps, call, file);
  await checkResultPlace(resultPathOf(deps, call), deps.resolvePath(path));
  if (file.state === 'draft') {
    refuseShort(file, options);
    if (!(await isAgreed(deps, call, file))) {
      deps.say('Nothing was sent.\n');
      return EXIT.incomplete;
    }
    await kafue.payoutFiles.submit(file.id, { ...walletOf(options), payAt: options.payAt });
  } else {
    deps.say(`It was submitted before, at ${file.submittedAt}: no row is paid twice.\n`);
  }
  return follow(deps, call, file.id);
}

async function upload(deps: PayDeps, { kafue, path, options }: Call): Promise<PayoutFile> {
  const bytes = await readFile(deps.resolvePath(path)).catch(() => {
    throw new CliProblem(EXIT.badFile, `${path} cannot be read.`, 'Check the path.');
  });
  const { batch = '', wallet = '' } = options;
  const idempotencyKey = `cli-${createHash('sha256')
    .update(`${batch}\n${wallet}\n`)
    .update(bytes)
    .digest('hex')}`;
  const name = basename(path);
  const made = await kafue.payoutFiles
    .upload({ file: bytes, name, ...walletOf(options) }, { idempotencyKey })
    .catch((error: unknown) => {
      if (!(error instanceof KafueError) || !BAD_FILE_CODES.includes(error.code)) throw error;
      throw new CliProblem(EXIT.badFile, error.message, 'Correct the file, then run it again.');
    });
  return kafue.payoutFiles.waitUntilChecked(made.id, { signal: deps.stop });
}

function walletOf({ wallet }: PayOptions): Readonly<{ walletId?: string }> {
  return wallet === undefined ? {} : { walletId: wallet };
}

/** The file of the rows that failed last: the one that an earlier run made, or a new one. */
async function findRetry(call: Call, file: PayoutFile): Promise<PayoutFile> {
  const { kafue } = call;
  for await (const item of kafue.payoutFiles.list()) {
    if (item.failedRowsOf === file.id && item.state !== 'cancelled') {
      return findRetry(call, await kafue.payoutFiles.get(item.id));
    }
    if (item.id === file.id) break;
  }
  const { failed, refused } = file.counts;
  const isOver = file.state === 'done' || file.state === 'cancelled';
  return isOver && failed + refused > 0 ? kafue.payoutFiles.retryFailed(file.id) : file;
}

async function refuseProblems(
  deps: PayDeps,
  { kafue, path }: Call,
  file: PayoutFile,
): Promise<ExitCode> {
  const lines = [];
  for await (const row of kafue.payoutFiles.rows(file.id, { state: 'problem' })) {
    if (lines.length === PROBLEMS_SHOWN_MAX) break;
    for (const { field, message } of row.problems) {
      lines.push(`line ${row.line}, ${field}: ${message}`);
    }
  }
  const more = file.counts.problems - lines.length;
  const rest = more > 0 ? [`and ${countOf(more, 'more line')}.`] : [];
  deps.say(`${[`${path}: nothing was sent.`, ...lines, ...rest].join('\n')}\n`);
  // The corrected file is another upload.
  await kafue.payoutFiles.delete(file.id);
  return EXIT.badFile;
}

function describe(file: PayoutFile, mode: string): string {
  const { counts, currency, sum, fees, total, wallet, problemKinds } = file;
  const money =
    mode === 'live' ? 'This is a LIVE key: real money.' : 'This is a test key: no money moves.';
  const warnings = problemKinds.map(
    ({ message, count }) => `Warning, ${countOf(count, 'line')}: ${message}`,
  );
  const balance =
    wallet === null
      ? []
      : [`Wallet ${wallet.id}: ${wallet.available} now, ${wallet.left} after it.`];
  return [
    `${file.name}: ${countOf(counts.rows - counts.dropped, 'line')}, ${currency} ${sum} and fees of ${fees}, together ${total}.`,
    money,
    ...balance,
    ...warnings,
  ].join('\n');
}

async function endDryRun(deps: PayDeps, { kafue }: Call, file: PayoutFile): Promise<ExitCode> {
  if (file.state === 'draft') await kafue.payoutFiles.delete(file.id);
  deps.say('A dry run: nothing was sent.\n');
  return EXIT.done;
}

function refuseShort({ wallet }: PayoutFile, { allowShortBalance }: PayOptions): void {
  if (wallet === null || wallet.suffices || allowShortBalance === true) return;
  throw new CliProblem(
    EXIT.balanceShort,
    `Wallet ${wallet.id} is short: ${wallet.left} would be left. Nothing was sent.`,
    'Fund it and run the same command again, or pay as far as it goes: --allow-short-balance.',
  );
}

async function isAgreed(
  deps: PayDeps,
  { options, mode }: Call,
  file: PayoutFile,
): Promise<boolean> {
  if (options.yes === true) return true;
  if (!deps.isTerminal.input) {
    throw new CliProblem(
      EXIT.usage,
      'There is no terminal to answer whether to pay. Nothing was sent.',
      'Look at it with --dry-run, then give --yes.',
    );
  }
  const count = file.counts.rows - file.counts.dropped;
  const people = count === 1 ? '1 person' : `${formatCount(count)} people`;
  const money = mode === 'live' ? ' of real money' : '';
  const question = `Pay ${people} ${file.currency} ${file.sum}${money}? (yes/no) `;
  return (await deps.ask(question, deps.stop)).trim().toLowerCase() === 'yes';
}

/** Without --watch until every row has had its turn, or waits for people or its day; with it until all have ended. */
async function follow(deps: PayDeps, call: Call, id: string): Promise<ExitCode> {
  const { kafue, options } = call;
  const deadlineMs = deps.now() + options.watchMinutes * 60_000;
  let file = await kafue.payoutFiles.get(id);
  const total = file.counts.rows - file.counts.dropped;
  const isTerminal = deps.isTerminal.error;
  const progress = createProgress(deps.writeError, { verb: 'Sent', total, isTerminal });
  for (;;) {
    const { created, refused, succeeded, failed, cancelled } = file.counts;
    progress.show(
      created + refused,
      `${succeeded} successful, ${failed} failed, ${refused} refused, ${created - succeeded - failed - cancelled} pending`,
    );
    if (isFollowed(file, options) || deps.stop.aborted || deps.now() > deadlineMs) break;
    await deps.pause(LOOK_INTERVAL_MS, deps.stop);
    file = await kafue.payoutFiles.get(id);
  }
  progress.end();
  return report(deps, call, file);
}

function isFollowed({ state, counts }: PayoutFile, { watch }: PayOptions): boolean {
  if (state === 'done' || state === 'cancelled') return true;
  if (watch === true) return false;
  return state !== 'paying' || counts.created + counts.refused === counts.rows - counts.dropped;
}

async function report(deps: PayDeps, call: Call, file: PayoutFile): Promise<ExitCode> {
  const { state, counts } = file;
  const resultPath = resultPathOf(deps, call);
  await writeFile(resultPath, await call.kafue.payoutFiles.results(file.id), { mode: 0o600 });
  deps.say(`The file is ${state.replace('_', ' ')}. Every line is in ${resultPath}\n`);
  if (counts.failed + counts.refused > 0) {
    deps.say(
      `${countOf(counts.failed + counts.refused, 'line')} failed or refused. To pay them again: --retry-failed.\n`,
    );
  }
  const isWhole = counts.failed + counts.refused + counts.cancelled === 0 && state !== 'cancelled';
  return isWhole ? EXIT.done : EXIT.incomplete;
}

function resultPathOf(deps: PayDeps, { path, options }: Call): string {
  return deps.resolvePath(options.result ?? `${path.replace(/\.(csv|xlsx)$/i, '')}.result.csv`);
}
