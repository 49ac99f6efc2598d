import { createHash } from 'node:crypto';
import { type Kafue, KafueError, type PayoutFile } from '../../../sdk/src/index.ts';
import { CliProblem, EXIT } from '../cli-problem.ts';
import { countOf } from '../format-table.ts';
import { formatMinor } from '../payout-file/amount.ts';
import { CALLING_CODES, type LineProblem, type Payout } from '../payout-file/payout.ts';
import { nationalNumber } from '../payout-file/phone-shape.ts';
import { cancelledProblem, isStoppedByPerson } from './find-cancelled.ts';

/** The service accepts no more rows in one file. */
const ROWS_MAX = 50_000;
/** The service allows 200 drafts in a book. */
const FILES_MAX = 50;
/** A draft is version 1, and 2 once it is checked. One that is more was changed by a person, and is theirs. */
const VERSION_CHECKED = 2;
/** Uploads of the same lines before this one that have ended, such as one that was not approved. */
const ENDED_BEFORE_MAX = 100;
const CHECK_WAIT_MS = 300_000;
const PROBLEMS_SHOWN_MAX = 50;
const NAME_CHARS_MAX = 180;
const COLUMNS = ['reference', 'phone', 'amount', 'operator', 'country', 'name', 'narration'];
/** Warnings that the preview has already shown with their lines. */
const KNOWN_WARNINGS: readonly string[] = ['OTHER_OPERATOR', 'HIDDEN_ROW'];

/** A payout file of the service with lines of one wallet; row 1 is its first payout. */
export type UploadedFile = Readonly<{ file: PayoutFile; payouts: readonly Payout[] }>;

export type UploadRules = Readonly<{
  name: string;
  /** Pay lines that a person cancelled or rejected. */
  allowCancelled: boolean;
}>;

export type UploadDeps = Readonly<{ kafue: Pick<Kafue, 'payoutFiles'>; stop: AbortSignal }>;

/** Uploads lines as payout files, one for each wallet, and waits until the service has checked them. */
export async function uploadFiles(
  deps: UploadDeps,
  payouts: readonly Payout[],
  { name, allowCancelled }: UploadRules,
): Promise<readonly UploadedFile[]> {
  const parts = splitByWallet(payouts);
  if (parts.length > FILES_MAX) {
    const message = `The lines need ${parts.length} payout files, and one run makes ${FILES_MAX}. Nothing was sent.`;
    throw new CliProblem(EXIT.badFile, message, 'Split the file.');
  }
  const uploaded: UploadedFile[] = [];
  try {
    for (const [index, part] of parts.entries()) {
      const suffix = parts.length === 1 ? '' : ` (${index + 1} of ${parts.length})`;
      const partName = `${name.slice(0, NAME_CHARS_MAX)}${suffix}`;
      const file = await upload(deps, part, { name: partName, allowCancelled });
      uploaded.push({ file, payouts: part });
    }
  } catch (error) {
    await deleteDrafts(deps, uploaded);
    throw error;
  }
  return uploaded;
}

function splitByWallet(payouts: readonly Payout[]): readonly (readonly Payout[])[] {
  const byWallet = new Map<string, Payout[][]>();
  for (const payout of payouts) {
    const parts = byWallet.get(payout.walletId) ?? [];
    byWallet.set(payout.walletId, parts);
    const last = parts.at(-1);
    if (last === undefined || last.length === ROWS_MAX) parts.push([payout]);
    else last.push(payout);
  }
  return [...byWallet.values()].flat();
}

/** Finds the draft that an earlier run made of the same lines and did not submit, if its content is unchanged. */
async function upload(
  { kafue, stop }: UploadDeps,
  payouts: readonly Payout[],
  { name, allowCancelled }: UploadRules,
): Promise<PayoutFile> {
  const [first] = payouts;
  const walletId = first?.walletId;
  const bytes = writeRows(payouts);
  const content = createHash('sha256').update(`${walletId}\n`).update(bytes).digest('hex');
  for (let ended = 0; ended <= ENDED_BEFORE_MAX; ended += 1) {
    const file = await kafue.payoutFiles.upload(
      { file: bytes, name, walletId, references: 'given' },
      { idempotencyKey: `cli-${content}-${ended}` },
    );
    if (first !== undefined && !allowCancelled && isStoppedByPerson(file)) {
      throw cancelledProblem(file, first);
    }
    if (file.state === 'done' || file.state === 'cancelled') continue;
    const wait = { timeoutMs: CHECK_WAIT_MS, signal: stop };
    const checked = await kafue.payoutFiles
      .waitUntilChecked(file.id, wait)
      .catch(async (error: unknown) => {
        await deleteDrafts({ kafue, stop }, [{ file, payouts }]);
        throw error;
      });
    if (checked.state !== 'draft' || checked.version === VERSION_CHECKED) return checked;
  }
  throw new CliProblem(
    EXIT.incomplete,
    `These lines were submitted ${ENDED_BEFORE_MAX} times, and were not paid. Nothing was sent.`,
    'Look in the console at what became of the files.',
  );
}

/** Writes the lines as CSV with exact values, so that the service reads them as they were read here. */
export function writeRows(payouts: readonly Payout[]): Buffer {
  const lines = payouts.map((payout) => {
    const { reference, phone, amountMinor, operator, country, recipientName, narration } = payout;
    const e164 = `+${CALLING_CODES[country]}${nationalNumber(phone, country)}`;
    const amount = formatMinor(amountMinor);
    const texts = [reference, e164, amount, operator, country, recipientName, narration];
    return texts.map((text) => `"${(text ?? '').replaceAll('"', '""')}"`).join(',');
  });
  return Buffer.from(`${[COLUMNS.join(','), ...lines].join('\r\n')}\r\n`);
}

/** The rows that the service cannot pay, as lines of the person's file; the last says how many are not shown. */
export async function readProblems(
  { kafue }: UploadDeps,
  uploaded: readonly UploadedFile[],
): Promise<readonly LineProblem[]> {
  const problems: LineProblem[] = [];
  let notShown = 0;
  for (const { file, payouts } of uploaded) {
    if (file.counts.problems === 0) continue;
    let rows = 0;
    for await (const row of kafue.payoutFiles.rows(file.id, { state: 'problem' })) {
      if (problems.length >= PROBLEMS_SHOWN_MAX) break;
      rows += 1;
      const line = payouts[row.number - 1]?.line ?? null;
      for (const { field, message } of row.problems) {
        problems.push({
          line,
          column: field === 'name' ? 'recipientName' : field,
          reason: message,
        });
      }
    }
    notShown += file.counts.problems - rows;
  }
  if (notShown <= 0) return problems;
  const reason = `and ${countOf(notShown, 'more line')} with problems.`;
  return [...problems, { line: null, column: null, reason }];
}

/** Whether the only problem is that another run sent the lines after this one had looked them up. */
export function areSentMeanwhile(uploaded: readonly UploadedFile[]): boolean {
  const problems = uploaded
    .flatMap(({ file }) => file.problemKinds)
    .filter(({ kind }) => kind === 'problem');
  return problems.length > 0 && problems.every(({ code }) => code === 'REFERENCE_TAKEN');
}

/** Warnings of the service that the preview has not shown. */
export function explainWarnings(uploaded: readonly UploadedFile[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { code, kind, message, count } of uploaded.flatMap(({ file }) => file.problemKinds)) {
    if (kind === 'problem' || KNOWN_WARNINGS.includes(code)) continue;
    counts.set(message, (counts.get(message) ?? 0) + count);
  }
  return [...counts].map(([message, count]) => `Warning, ${countOf(count, 'line')}: ${message}`);
}

/**
 * Deletes drafts that were not submitted, which would stay in the console. The same lines can be uploaded again. A
 * draft that a person has changed in the meantime is kept.
 */
export async function deleteDrafts(
  { kafue }: UploadDeps,
  uploaded: readonly UploadedFile[],
): Promise<void> {
  for (const { file } of uploaded) {
    if (file.state !== 'draft' && file.state !== 'checking') continue;
    try {
      const { version } = await kafue.payoutFiles.get(file.id);
      if (version <= VERSION_CHECKED) await kafue.payoutFiles.delete(file.id);
    } catch (error) {
      if (!(error instanceof KafueError)) throw error;
    }
  }
}
