import { REFERENCE_LENGTH_MAX } from '../../../service/src/domain/reference.ts';
import { retryReference } from '../../../service/src/domain/retry-reference.ts';
import type { LineProblem, Payout } from '../payout-file/payout.ts';
import { type FindDeps, type FoundTransfer, findSent } from './find-sent.ts';
import type { WaitingRow } from './find-waiting.ts';
import { conflictWith, type LineOutcome, waitingIn } from './line-outcome.ts';

/** How often a line is paid again. A line that fails more often needs a person, not another attempt. */
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

/** The state of the search for the latest transfer of a line. */
type Search = Readonly<{
  index: number;
  /** As in the file. */
  original: Payout;
  /** Under the reference that is looked up next. */
  payout: Payout;
  /** The line under older references, which are looked up too: it gets no new ones, but may have one of these. */
  former: readonly Payout[];
  /** The transfer before it, which failed. */
  failed: FoundTransfer | undefined;
}>;

export type PlanRules = Readonly<{
  retryFailed: boolean;
  /** Rows of payout files that are under way, by reference. They count as sent. */
  waiting: ReadonlyMap<string, WaitingRow>;
}>;

/**
 * Finds out which lines were sent before. A failed line may have been paid again under another
 * reference, `a.retry-1` for `a`, and so on, by this command or by the service: the last of these says
 * what became of the line. With `retryFailed`, a line is paid again only when the service says of all of
 * them that they failed: what is pending, in doubt, cancelled or reversed is left as it is.
 */
export async function planPayouts(
  deps: FindDeps,
  payouts: readonly Payout[],
  { retryFailed, waiting }: PlanRules,
): Promise<Plan> {
  const taken = new Set(payouts.map(({ reference }) => reference));
  const lines: PlannedLine[] = [];
  const notes: LineProblem[] = [];
  const leaveFailed = (index: number, line: PlannedLine, why: string): void => {
    lines[index] = line;
    const reason = `${why} Not paid again: give the line a new reference.`;
    if (retryFailed) notes.push({ line: line.payout.line, column: null, reason });
  };
  let searches: readonly Search[] = payouts.map((payout, index) => {
    return { index, original: payout, payout, former: [], failed: undefined };
  });
  for (let failures = 0; searches.length > 0; failures += 1) {
    const names = searches.flatMap(({ payout, former }) => [payout, ...former]);
    const found = await findSent(
      deps,
      names.map(({ reference }) => reference),
    );
    const next: Search[] = [];
    for (const { index, original, payout, former, failed } of searches) {
      const known = [payout, ...former]
        .map((one) => findKnown(one, { found, waiting }))
        .find((line) => line !== undefined);
      const transfer = found.get(payout.reference);
      if (known !== undefined) lines[index] = known;
      else if (transfer !== undefined) {
        const reference = retryReference(payout.reference);
        if (taken.has(reference)) {
          const line = { payout, outcome: outcomeOf(payout, transfer) };
          leaveFailed(index, line, `Another line has the reference ${reference}.`);
          continue;
        }
        taken.add(reference);
        next.push({
          index,
          original,
          payout: renameRetry(original, reference),
          former: failed === undefined ? formerRetries(original, taken) : [],
          failed: transfer,
        });
      } else if (failed === undefined || (retryFailed && failures <= RETRIES_MAX)) {
        lines[index] = { payout, outcome: undefined };
      } else {
        leaveFailed(index, showFailed(original, failed), `It failed ${failures} times.`);
      }
    }
    searches = next;
  }
  return { lines, notes };
}

type Known = Readonly<{
  found: ReadonlyMap<string, FoundTransfer>;
  waiting: ReadonlyMap<string, WaitingRow>;
}>;

/** The outcome of a line under a reference; undefined: no transfer has the reference, or a failed one. */
function findKnown(payout: Payout, { found, waiting }: Known): PlannedLine | undefined {
  const transfer = found.get(payout.reference);
  if (transfer?.sent.status === 'failed') return undefined;
  if (transfer !== undefined) return { payout, outcome: outcomeOf(payout, transfer) };
  const row = waiting.get(payout.reference);
  return row === undefined ? undefined : { payout, outcome: waitingOutcome(payout, row) };
}

function showFailed(original: Payout, failed: FoundTransfer): PlannedLine {
  const { reference } = failed.sent;
  const isFirst = reference === original.reference;
  const payout = isFirst ? original : renameRetry(original, reference);
  return { payout, outcome: outcomeOf(payout, failed) };
}

function renameRetry(original: Payout, reference: string): Payout {
  return { ...original, reference, retryOf: original.reference };
}

/**
 * A line under the references that earlier versions of this command gave it when it was paid again. They added a number
 * to every reference. For a long reference, or one that ends in a number, the service makes another name.
 */
function formerRetries(original: Payout, taken: ReadonlySet<string>): readonly Payout[] {
  const numbered = Array.from({ length: RETRIES_MAX }, (_, n) => {
    return `${original.reference}.retry-${n + 1}`;
  });
  if (numbered[0] === retryReference(original.reference)) return [];
  return numbered
    .filter((reference) => reference.length <= REFERENCE_LENGTH_MAX && !taken.has(reference))
    .map((reference) => renameRetry(original, reference));
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

/** Plans every line as not sent before, because there is no key to look it up with. */
export function planBlindly(payouts: readonly Payout[]): Plan {
  return { lines: payouts.map((payout) => ({ payout, outcome: undefined })), notes: [] };
}
