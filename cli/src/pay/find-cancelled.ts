import type { Kafue, PayoutFileItem } from '../../../sdk/src/index.ts';
import { CliProblem, EXIT } from '../cli-problem.ts';
import type { Payout } from '../payout-file/payout.ts';

/** How many of the newest cancelled files are read. A book may have any number, so older ones are ignored. */
const FILES_LOOKED_AT_MAX = 50;
const ROWS_PER_CALL = 100;

type CancelledFile = Pick<PayoutFileItem, 'id' | 'name' | 'state' | 'endedAs'>;

/** Whether a person decided that the rest of the file is not paid. An approval that expired is no decision. */
export function isStoppedByPerson({ state, endedAs }: CancelledFile): boolean {
  return state === 'cancelled' && endedAs !== 'APPROVAL_EXPIRED';
}

/** The error for lines that a person decided not to pay. */
export function cancelledProblem(
  { id, name, endedAs }: CancelledFile,
  { line }: Payout,
): CliProblem {
  const verb = endedAs === 'APPROVAL_REJECTED' ? 'rejected' : 'cancelled';
  return new CliProblem(
    EXIT.incomplete,
    `A person ${verb} lines of this file, first line ${line}, in the payout file ${name} (${id}). Nothing was sent.`,
    'Ask why. Take these lines out of the file; or to pay them all the same, give --allow-cancelled.',
  );
}

/**
 * Finds the first line to pay that a person refused in another payout file. If a file was cancelled while it was paid,
 * the rest of it is another upload than the whole, so the key of the upload does not find the decision.
 */
export async function findCancelled(
  { kafue, stop }: Readonly<{ kafue: Pick<Kafue, 'payoutFiles'>; stop: AbortSignal }>,
  payouts: readonly Payout[],
): Promise<CliProblem | undefined> {
  const wanted = new Map(payouts.map((payout) => [payout.reference, payout]));
  let looked = 0;
  for await (const file of kafue.payoutFiles.list({ state: 'cancelled' }, { signal: stop })) {
    looked += 1;
    if (looked > FILES_LOOKED_AT_MAX) return undefined;
    const isDerived = file.references !== 'given' && file.failedRowsOf === null;
    if (isDerived || !isStoppedByPerson(file)) continue;
    const filter = { state: 'refused', limit: ROWS_PER_CALL } as const;
    for await (const row of kafue.payoutFiles.rows(file.id, filter, { signal: stop })) {
      // A row may have been refused before, such as for the balance.
      if (row.refusal?.code !== file.endedAs) continue;
      const payout = wanted.get(row.transferReference ?? row.reference ?? '');
      if (payout !== undefined) return cancelledProblem(file, payout);
    }
  }
  return undefined;
}
