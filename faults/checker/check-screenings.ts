import type { ControlFacts } from '../journal/exchange-record.ts';
import type { ScreeningRow, Snapshot, TransferRow } from './snapshot.ts';
import { type Found, report } from './violation.ts';

/** The key of the metadata whose value is the screener's answer. */
const SCREENED = 'screened';

/** I34: a payout is sent only after its screener allowed it, or a person approved it instead. */
export function checkScreenings(snapshot: Snapshot, facts: ControlFacts, found: Found): void {
  const screenings = Map.groupBy(snapshot.screenings, ({ transferId }) => transferId);
  for (const transfer of snapshot.transfers) {
    const word = transfer.metadata?.[SCREENED];
    if (transfer.bookId !== facts.bookId || word === undefined) continue;
    checkOne(transfer, { word, asked: screenings.get(transfer.id) ?? [] }, found);
  }
}

function checkOne(
  transfer: TransferRow,
  { word, asked }: Readonly<{ word: string; asked: readonly ScreeningRow[] }>,
  found: Found,
): void {
  const complain = (says: string) => report(found, 'I34', transfer, says, { transfer, asked });
  if (asked.length !== 1)
    complain(`a screener was to be asked once, and has ${asked.length} questions`);
  const isSent = transfer.firstSubmittedAt !== null;
  for (const { decision } of asked) {
    if (decision === null && transfer.state !== 'cancelled')
      complain('its screener was not heard, although nothing changes any more');
    if (decision === null && isSent) complain('it was sent before its screener was heard');
    if (decision === 'refuse' && transfer.state !== 'cancelled')
      complain('its screener refused it, and it is not cancelled');
    // No answer in time, or none that can be understood, holds.
    if (decision !== null && decision !== 'hold' && decision !== word)
      complain(`its screener said ${word}, which was taken as ${decision}`);
  }
}
