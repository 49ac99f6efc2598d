import type { LineProblem, Payout } from '../payout-file/payout.ts';
import { type FindDeps, type FoundTransfer, findSent } from './find-sent.ts';
import type { WaitingRow } from './find-waiting.ts';
import { conflictWith, type LineOutcome, waitingIn } from './line-outcome.ts';

const REFERENCE_CHARS_MAX = 100;
/** How often a line is paid again. What fails more often needs a person, not another try. */
const RETRIES_MAX = 20;

/** A line of the file, under the reference that it has or gets at the service. */
export type PlannedLine = Readonly<{
  payout: Payout;
  /** Its outcome in an earlier run; undefined: it is still to be paid. */
  outcome: LineOutcome | undefined;
}>;

export type Plan = Readonly<{
  /** One for each payout, in their order. */
  lines: readonly PlannedLine[];
  /** Failed lines that cannot be paid again, and why. */
  notes: readonly LineProblem[];
}>;

/** Where the search for what became of a line stands. */
type Search = Readonly<{
  index: number;
  /** As in the file. */
  original: Payout;
  /** Under the reference that is looked up next. */
  payout: Payout;
  /** The transfer before it, which failed. */
  failed: FoundTransfer | undefined;
}>;

export type PlanRules = Readonly<{
  retryFailed: boolean;
  /** Rows of payout files that are under way, by reference. They are as good as sent. */
  waiting: ReadonlyMap<string, WaitingRow>;
}>;

/**
 * Finds out which lines were sent before. A failed line may have been paid again under another
 * reference, `a.retry-1` for `a`, and so on: the last of these says what became of the line. With
 * `retryFailed`, a line is paid again only when the service says of all of them that they failed: what
 * is pending, in doubt, cancelled or reversed is left as it is.
 */
export async function planPayouts(
  deps: FindDeps,
  payouts: readonly Payout[],
  { retryFailed, waiting }: PlanRules,
): Promise<Plan> {
  const references = new Set(payouts.map(({ reference }) => reference));
  const lines: PlannedLine[] = [];
  const notes: LineProblem[] = [];
  let searches: readonly Search[] = payouts.map((payout, index) => {
    return { index, original: payout, payout, failed: undefined };
  });
  for (let retry = 1; searches.length > 0; retry += 1) {
    const found = await findSent(
      deps,
      searches.map(({ payout }) => payout.reference),
    );
    const next: Search[] = [];
    for (const search of searches) {
      const { index, original, payout } = search;
      const transfer = found.get(payout.reference);
      const row = transfer === undefined ? waiting.get(payout.reference) : undefined;
      if (row !== undefined) {
        lines[index] = { payout, outcome: waitingOutcome(payout, row) };
        continue;
      }
      if (transfer?.sent.status !== 'failed') {
        lines[index] = decide(search, transfer, retryFailed);
        continue;
      }
      const named = nameRetry(original.reference, { retry, references });
      if ('reason' in named) {
        lines[index] = { payout, outcome: outcomeOf(payout, transfer) };
        if (retryFailed) notes.push({ line: payout.line, column: null, reason: named.reason });
        continue;
      }
      const { reference } = named;
      const again: Payout = { ...original, reference, retryOf: original.reference };
      next.push({ index, original, payout: again, failed: transfer });
    }
    searches = next;
  }
  return { lines, notes };
}

/** Of a reference that does not stand for a failed transfer, or for none. */
function decide(
  { original, payout, failed }: Search,
  transfer: FoundTransfer | undefined,
  retryFailed: boolean,
): PlannedLine {
  if (transfer !== undefined) return { payout, outcome: outcomeOf(payout, transfer) };
  if (failed === undefined || retryFailed) return { payout, outcome: undefined };
  const before = failed.sent.reference;
  const retryOf = before === original.reference ? null : original.reference;
  const last: Payout = { ...original, reference: before, retryOf };
  return { payout: last, outcome: outcomeOf(last, failed) };
}

function outcomeOf(payout: Payout, { sent, means }: FoundTransfer): LineOutcome {
  return means(payout) ? { kind: 'already_sent', transfer: sent } : conflictWith(sent);
}

function waitingOutcome(payout: Payout, { file, means }: WaitingRow): LineOutcome {
  if (means(payout)) return waitingIn(file);
  const message =
    `A row of the payout file ${file.name} (${file.id}), which is not finished, has this reference and ` +
    'says something else. Not paid by this line.';
  return { kind: 'conflict', code: 'DUPLICATE_REFERENCE', message };
}

/** The reference under which a line is paid again. It names the one in the file. */
function nameRetry(
  original: string,
  { retry, references }: Readonly<{ retry: number; references: ReadonlySet<string> }>,
): Readonly<{ reference: string }> | Readonly<{ reason: string }> {
  const reference = `${original}.retry-${retry}`;
  const instead = 'Not paid again: give the line a new reference.';
  if (retry > RETRIES_MAX) return { reason: `It failed ${retry} times. ${instead}` };
  if (reference.length > REFERENCE_CHARS_MAX) {
    return { reason: `Its reference is too long to add .retry-${retry}. ${instead}` };
  }
  if (references.has(reference)) {
    return { reason: `Another line has the reference ${reference}. ${instead}` };
  }
  return { reference };
}

/** Every line as not sent before, without a key to ask with. */
export function planBlindly(payouts: readonly Payout[]): Plan {
  return { lines: payouts.map((payout) => ({ payout, outcome: undefined })), notes: [] };
}
