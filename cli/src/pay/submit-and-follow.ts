import { KafueError, type PayoutFile } from '../../../sdk/src/index.ts';
import { createProgress } from '../progress.ts';
import { explainTaken, outcomeOf, type RowResult, readResults } from './file-results.ts';
import { type FollowDeps, followFiles } from './follow-files.ts';
import { countOutcomes, type LineOutcome, NOT_SENT, waitingIn } from './line-outcome.ts';
import type { PlannedLine } from './plan-payouts.ts';
import { type FinishedLine, renderStatuses } from './render-summary.ts';
import { deleteDrafts, type UploadedFile } from './upload-files.ts';
import { watchTransfers } from './watch-transfers.ts';

export type Finished = Readonly<{
  lines: readonly FinishedLine[];
  /** The files of this run and of earlier ones, as last read. */
  files: readonly PayoutFile[];
  /** The error that ended the run early. */
  endedBy: KafueError | undefined;
}>;

/** Refusals of a submission after which the file may be under way all the same. */
const CHANGED_CODES: readonly string[] = ['INVALID_STATE', 'CONTENT_CHANGED'];

export type SubmitRules = Readonly<{
  payAt: string | undefined;
  /** How long to follow. */
  watchMs: number;
  /** Follow until every payout is final. */
  toTheEnd: boolean;
}>;

/** Submits what was uploaded, and follows it together with the files of earlier runs that have lines of this one. */
export async function submitAndFollow(
  deps: FollowDeps,
  planned: readonly PlannedLine[],
  { uploaded, rules }: Readonly<{ uploaded: readonly UploadedFile[]; rules: SubmitRules }>,
): Promise<Finished> {
  const deadlineMs = deps.now() + rules.watchMs;
  const submission = await submitAll(deps, uploaded, rules.payAt);
  try {
    return await follow(deps, planned, { submission, deadlineMs, toTheEnd: rules.toTheEnd });
  } catch (error) {
    if (!(error instanceof KafueError)) throw error;
    const lines = planned.map((line) => withOutcome(line, submission));
    return { lines, files: submission.files, endedBy: error };
  }
}

/** The outcome of a line without another request. */
function withOutcome({ payout, outcome }: PlannedLine, { outcomes }: Submission): FinishedLine {
  return { payout, outcome: outcomes.get(payout.reference) ?? outcome ?? NOT_SENT };
}

async function follow(
  deps: FollowDeps,
  planned: readonly PlannedLine[],
  how: Readonly<{ submission: Submission; deadlineMs: number; toTheEnd: boolean }>,
): Promise<Finished> {
  const { submission, deadlineMs, toTheEnd } = how;
  const earlier = await readEarlier(deps, planned);
  const followed = await followFiles(deps, [...submission.files, ...earlier], {
    deadlineMs,
    toTheEnd,
  });
  const { files } = followed;
  const lines = await findOutcomes(deps, planned, { submission, followed: files });
  const endedBy = submission.endedBy ?? followed.endedBy;
  if (!toTheEnd || endedBy !== undefined || deps.stop.aborted) return { lines, files, endedBy };
  return { ...(await watchDoubts(deps, lines, deadlineMs - deps.now())), files };
}

type Submission = Readonly<{
  files: readonly PayoutFile[];
  /** The ids of the files that another run has submitted in the meantime. */
  byOthers: ReadonlySet<string>;
  /** Of the lines that were uploaded, by reference, as far as the submission tells. */
  outcomes: ReadonlyMap<string, LineOutcome>;
  endedBy: KafueError | undefined;
}>;

async function submitAll(
  deps: FollowDeps,
  uploaded: readonly UploadedFile[],
  payAt: string | undefined,
): Promise<Submission> {
  const files: PayoutFile[] = [];
  const byOthers = new Set<string>();
  const outcomes = new Map<string, LineOutcome>();
  let endedBy: KafueError | undefined;
  for (const one of uploaded) {
    const submitted = await submit(deps, one, { payAt, isEnded: endedBy !== undefined });
    for (const { reference } of one.payouts) outcomes.set(reference, submitted.outcome);
    if (submitted.file !== undefined) files.push(submitted.file);
    if (submitted.file !== undefined && submitted.isByOther === true) byOthers.add(one.file.id);
    endedBy ??= submitted.endedBy;
  }
  return { files, byOthers, outcomes, endedBy };
}

type Submitted = Readonly<{
  /** Of each line, as far as the submission tells. */
  outcome: LineOutcome;
  /** Whether it is under way, by this run or another one. */
  file?: PayoutFile;
  isByOther?: boolean;
  endedBy?: KafueError;
}>;

async function submit(
  deps: FollowDeps,
  uploaded: UploadedFile,
  { payAt, isEnded }: Readonly<{ payAt: string | undefined; isEnded: boolean }>,
): Promise<Submitted> {
  const { id, version, state } = uploaded.file;
  if (deps.stop.aborted) await deleteDrafts(deps, [uploaded]);
  if (isEnded || deps.stop.aborted) return { outcome: NOT_SENT };
  try {
    const file =
      state === 'draft'
        ? await deps.kafue.payoutFiles.submit(id, { version, payAt })
        : uploaded.file;
    return { outcome: waitingIn(file), file };
  } catch (error) {
    if (!(error instanceof KafueError)) throw error;
    const { code, message, mayHaveBeenDone, retryable } = error;
    if (mayHaveBeenDone) return withoutAnswer(error);
    if (retryable) return { outcome: { kind: 'not_sent', code, message }, endedBy: error };
    if (CHANGED_CODES.includes(code)) return lookAgain(deps, uploaded, error);
    // Such as by a rule of the policy.
    await deleteDrafts(deps, [uploaded]);
    return { outcome: { kind: 'refused', code, message } };
  }
}

function withoutAnswer(error: KafueError): Submitted {
  const { code, message } = error;
  const advice = 'Run the same file again: it finds out.';
  return { outcome: { kind: 'unknown', code, message: `${message} ${advice}` }, endedBy: error };
}

/** Interprets the refusal of a submission because the file is no longer the uploaded draft. */
async function lookAgain(
  { kafue }: FollowDeps,
  { file }: UploadedFile,
  { code, message }: KafueError,
): Promise<Submitted> {
  try {
    const now = await kafue.payoutFiles.get(file.id);
    if (now.version !== file.version) return { outcome: changedByPerson(now) };
    if (now.state !== 'draft') return { outcome: waitingIn(now), file: now, isByOther: true };
    return { outcome: { kind: 'refused', code, message } };
  } catch (error) {
    if (!(error instanceof KafueError)) throw error;
    return withoutAnswer(error);
  }
}

/** The outcome of lines whose draft now has other content. */
function changedByPerson({ id, name, state }: PayoutFile): LineOutcome {
  const what = `A person changed the payout file ${name} (${id}) in the console`;
  const code = 'CONTENT_CHANGED';
  if (state !== 'draft' && state !== 'checking') {
    const message = `${what} and submitted it. Run the same file again: it finds out what it pays.`;
    return { kind: 'unknown', code, message };
  }
  const message = `${what}. Submit it there; or delete it there, and run the same file again.`;
  return { kind: 'refused', code, message };
}

/** The files of earlier runs in which lines of this one wait. */
async function readEarlier(
  { kafue }: FollowDeps,
  planned: readonly PlannedLine[],
): Promise<readonly PayoutFile[]> {
  const ids = planned.flatMap(({ outcome }) =>
    outcome?.kind === 'waiting' ? [outcome.fileId] : [],
  );
  return Promise.all([...new Set(ids)].map((id) => kafue.payoutFiles.get(id)));
}

async function findOutcomes(
  deps: FollowDeps,
  planned: readonly PlannedLine[],
  { submission, followed }: Readonly<{ submission: Submission; followed: readonly PayoutFile[] }>,
): Promise<readonly FinishedLine[]> {
  const ownIds = new Set(submission.files.map(({ id }) => id));
  const { byOthers } = submission;
  const byReference = new Map<string, FoundRow[]>();
  for (const file of followed) {
    for (const [reference, result] of await readResults(deps.kafue, file)) {
      const rows = byReference.get(reference);
      if (rows === undefined) byReference.set(reference, [{ file, result }]);
      else rows.push({ file, result });
    }
  }
  const lines = planned.map((line): FinishedLine => {
    const { payout, outcome } = line;
    if (outcome !== undefined && outcome.kind !== 'waiting') return { payout, outcome };
    const isInFile = ({ id }: PayoutFile): boolean =>
      outcome === undefined ? ownIds.has(id) : id === outcome.fileId;
    const found = findDeciding(byReference.get(payout.reference) ?? [], isInFile);
    if (found === undefined) return withOutcome(line, submission);
    const { file, result } = found;
    const isOwn = ownIds.has(file.id) && !byOthers.has(file.id);
    const kind = isOwn ? 'accepted' : 'already_sent';
    return { payout, outcome: outcomeOf(result, file, kind) };
  });
  return explainTaken(deps, lines);
}

type FoundRow = Readonly<{ file: PayoutFile; result: RowResult }>;

/**
 * The row that decides the outcome of a line that is in several files: a sent row first, then a waiting one. A refusal
 * counts only in the file in which the line is now, because an earlier file may have refused a line that was paid
 * later.
 */
function findDeciding(
  rows: readonly FoundRow[],
  isInFile: (file: PayoutFile) => boolean,
): FoundRow | undefined {
  return (
    rows.find(({ result }) => result.kind === 'sent') ??
    rows.find(({ result }) => result.kind === 'waiting') ??
    rows.find(({ file }) => isInFile(file))
  );
}

/** Follows payouts outside of open files: payouts in doubt, and payouts of earlier runs. */
async function watchDoubts(
  deps: FollowDeps,
  lines: readonly FinishedLine[],
  watchMs: number,
): Promise<Omit<Finished, 'files'>> {
  const sent = lines.map(({ outcome }) => outcome);
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
    const { outcomes, endedBy } = await watchTransfers({ ...deps, onRound }, sent, { watchMs });
    const followed = lines.map(({ payout, outcome }, index) => {
      return { payout, outcome: outcomes[index] ?? outcome };
    });
    return { lines: followed, endedBy };
  } finally {
    progress.end();
  }
}
