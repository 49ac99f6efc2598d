import {
  ANSWERED_MANNERS,
  type ControlFacts,
  type ReceivedRecord,
  SCREENER_PATH,
} from '../journal/exchange-record.ts';
import type { ScreeningRow, Snapshot, TransferRow } from './snapshot.ts';
import { type Found, report } from './violation.ts';

/** The key of the metadata whose value is the screener's answer. */
const SCREENED = 'screened';
const TIMER_ERROR_MS = 5;

/** I34: a payout is sent only after its screener allowed it, or a person approved it instead. */
export function checkScreenings(
  snapshot: Snapshot,
  { facts, received }: Readonly<{ facts: ControlFacts; received: readonly ReceivedRecord[] }>,
  found: Found,
): void {
  const answeredAt = findAnswers(received);
  const screenings = Map.groupBy(snapshot.screenings, ({ transferId }) => transferId);
  for (const transfer of snapshot.transfers) {
    const word = transfer.metadata?.[SCREENED];
    if (transfer.bookId !== facts.bookId || word === undefined) continue;
    const asked = screenings.get(transfer.id) ?? [];
    checkOne(transfer, { word, asked, answeredAtMs: answeredAt.get(transfer.id) }, found);
  }
}

/** When the screener answered first about each transfer, by the clock of the machine, which no fault moves. */
function findAnswers(received: readonly ReceivedRecord[]): ReadonlyMap<string, number> {
  const answers = new Map<string, number>();
  for (const { path, manner, at, waitMs, body } of received) {
    if (path !== SCREENER_PATH || !ANSWERED_MANNERS.includes(manner)) continue;
    const { transfer } = JSON.parse(body) as { transfer: { id: string } };
    const atMs = Date.parse(at) + waitMs;
    answers.set(transfer.id, Math.min(atMs, answers.get(transfer.id) ?? Infinity));
  }
  return answers;
}

type Asked = Readonly<{
  word: string;
  asked: readonly ScreeningRow[];
  answeredAtMs: number | undefined;
}>;

function checkOne(
  transfer: TransferRow,
  { word, asked, answeredAtMs = Infinity }: Asked,
  found: Found,
): void {
  const complain = (says: string) => report(found, 'I34', transfer, says, { transfer, asked });
  if (asked.length !== 1)
    complain(`a screener was to be asked once, and has ${asked.length} questions`);
  const { firstSubmittedAt } = transfer;
  const isSent = firstSubmittedAt !== null;
  // A timer may end a little before its time.
  const isBefore = isSent && Date.parse(firstSubmittedAt) < answeredAtMs - TIMER_ERROR_MS;
  for (const { decision } of asked) {
    if (decision === null && transfer.state !== 'cancelled')
      complain('its screener was not heard, although nothing changes any more');
    if (decision === null && isSent) complain('it was sent before its screener was heard');
    if (decision === 'allow' && isBefore) complain('it was sent before its screener allowed it');
    if (decision === 'refuse' && transfer.state !== 'cancelled')
      complain('its screener refused it, and it is not cancelled');
    // No answer in time, or none that can be understood, holds.
    if (decision !== null && decision !== 'hold' && decision !== word)
      complain(`its screener said ${word}, which was taken as ${decision}`);
  }
}
