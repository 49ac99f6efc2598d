import type { Kafue, PayoutFile, Transfer } from '../../../sdk/src/index.ts';
import { parseCsv } from '../csv/parse-csv.ts';
import { parseBalance } from '../payout-file/amount.ts';
import type { Payout } from '../payout-file/payout.ts';
import { findSent } from './find-sent.ts';
import { conflictWith, type LineOutcome, type SentTransfer, waitingIn } from './line-outcome.ts';

/** Refusals of rows whose reference another transfer has. */
const TAKEN_CODES: readonly string[] = ['ALREADY_SENT', 'DUPLICATE_REFERENCE'];
const STATUSES: readonly Transfer['status'][] = [
  'pending',
  'successful',
  'failed',
  'cancelled',
  'reversed',
];

/** The result of a row. */
export type RowResult =
  | Readonly<{ kind: 'sent'; transfer: SentTransfer }>
  | Readonly<{ kind: 'refused'; code: string; message: string }>
  | Readonly<{ kind: 'waiting' }>;

/** The result of each row of a payout file so far, by its reference, without rows that were left out. */
export async function readResults(
  kafue: Pick<Kafue, 'payoutFiles'>,
  file: PayoutFile,
): Promise<ReadonlyMap<string, RowResult>> {
  const results = new Map<string, RowResult>();
  let names: readonly string[] | undefined;
  parseCsv(await kafue.payoutFiles.results(file.id), (record) => {
    if ('reason' in record) throw new Error(`the result of a payout file: ${record.reason}`);
    if (names === undefined) names = record.cells;
    else {
      const cells = new Map(names.map((name, index) => [name, record.cells[index] ?? '']));
      const cell = (name: string): string => cells.get(name) ?? '';
      if (cell('status') === 'dropped') return true;
      // A reference has no apostrophe: one before it keeps spreadsheets from running it.
      const reference = (cell('reference') || cell('yourReference')).replace(/^'/, '');
      results.set(reference, toResult(file, reference, cell));
    }
    return true;
  });
  return results;
}

function toResult(file: PayoutFile, reference: string, cell: (name: string) => string): RowResult {
  const status = STATUSES.find((known) => known === cell('status'));
  const [code, message] = [cell('code'), cell('message')];
  if (status !== undefined) {
    const transfer: SentTransfer = {
      id: cell('transferId'),
      reference,
      feeMinor: parseBalance(cell('fee')) ?? 0n,
      status,
      state: cell('state') as Transfer['state'],
      failure: code === '' ? null : { code, message },
      createdAt: file.submittedAt ?? file.createdAt,
    };
    return { kind: 'sent', transfer };
  }
  return cell('status') === 'refused' ? { kind: 'refused', code, message } : { kind: 'waiting' };
}

/** The outcome of a line now; `kind` applies if the file made its transfer. */
export function outcomeOf(
  result: RowResult | undefined,
  file: PayoutFile,
  kind: 'accepted' | 'already_sent',
): LineOutcome {
  if (result === undefined || result.kind === 'waiting') return waitingIn(file);
  if (result.kind === 'sent') return { kind, transfer: result.transfer };
  const { code, message } = result;
  return { kind: 'refused', code, message };
}

type Line = Readonly<{ payout: Payout; outcome: LineOutcome }>;

/** Finds the transfer of a row that was refused because another file or a single call had sent it. */
export async function explainTaken<L extends Line>(
  deps: Readonly<{ kafue: Pick<Kafue, 'transfers'>; stop: AbortSignal }>,
  lines: readonly L[],
): Promise<readonly (L & Line)[]> {
  const isTaken = ({ outcome }: Line): boolean =>
    outcome.kind === 'refused' && TAKEN_CODES.includes(outcome.code);
  const references = lines.filter(isTaken).map(({ payout }) => payout.reference);
  if (references.length === 0) return lines;
  const found = await findSent({ ...deps, onLookedUp: () => undefined }, references);
  return lines.map((line) => {
    const transfer = isTaken(line) ? found.get(line.payout.reference) : undefined;
    if (transfer === undefined) return line;
    const { sent, means } = transfer;
    const outcome: LineOutcome = means(line.payout)
      ? { kind: 'already_sent', transfer: sent }
      : conflictWith(sent);
    return { ...line, outcome };
  });
}
