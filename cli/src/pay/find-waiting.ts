import type { Kafue, PayoutFileItem, PayoutFileState, PayoutRow } from '../../../sdk/src/index.ts';
import type { Payout } from '../payout-file/payout.ts';
import { meaningOf } from './find-sent.ts';

/** States in which a file has rows whose turn has not come. */
const UNDER_WAY: readonly PayoutFileState[] = ['awaiting_approval', 'scheduled', 'paying'];
const ROWS_PER_CALL = 100;

/** A row of a submitted payout file that is no transfer yet. */
export type WaitingRow = Readonly<{
  file: Readonly<{ id: string; name: string; state: PayoutFileState }>;
  means: (payout: Payout) => boolean;
}>;

/**
 * The rows that wait in payout files of the book, by the reference that their transfers will have. An earlier run that was
 * killed, or another person, may have submitted them: a second file with the same lines would only be refused.
 */
export async function findWaiting({
  kafue,
  stop,
}: Readonly<{ kafue: Pick<Kafue, 'payoutFiles'>; stop: AbortSignal }>): Promise<
  ReadonlyMap<string, WaitingRow>
> {
  const waiting = new Map<string, WaitingRow>();
  for (const state of UNDER_WAY) {
    for await (const file of kafue.payoutFiles.list({ state }, { signal: stop })) {
      if (file.references !== 'given' && file.failedRowsOf === null) continue;
      const filter = { state: 'waiting', limit: ROWS_PER_CALL } as const;
      for await (const row of kafue.payoutFiles.rows(file.id, filter, { signal: stop })) {
        const reference = row.transferReference ?? row.reference;
        const means = meaningOfRow(file, row);
        if (reference !== null) waiting.set(reference, { file, means });
      }
    }
  }
  return waiting;
}

function meaningOfRow({ walletId }: PayoutFileItem, row: PayoutRow): (payout: Payout) => boolean {
  const { amount, phone, operator, country, narration, name: recipientName } = row;
  if (amount === null || phone === null || operator === null) return () => false;
  if (country === null || walletId === null) return () => false;
  return meaningOf({ amount, phone, operator, country, walletId, narration, recipientName });
}
