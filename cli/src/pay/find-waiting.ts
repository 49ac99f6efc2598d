import type { Kafue, PayoutFileItem, PayoutFileState, PayoutRow } from '../../../sdk/src/index.ts';
import { fromJsonNumber } from '../payout-file/amount.ts';
import type { Payout } from '../payout-file/payout.ts';
import { nationalNumber } from '../payout-file/phone-shape.ts';
import { meaningOf } from './find-sent.ts';

/** States in which a file has rows that are not transfers yet. */
const UNDER_WAY: readonly PayoutFileState[] = ['awaiting_approval', 'scheduled', 'paying'];
const ROWS_PER_CALL = 100;

/** A row of a submitted payout file that is no transfer yet. */
export type WaitingRow = Readonly<{
  file: Pick<PayoutFileItem, 'id' | 'name' | 'state' | 'payAt'>;
  means: (payout: Payout) => boolean;
}>;

export type Waiting = Readonly<{
  /** By the reference that their transfers will have. */
  rows: ReadonlyMap<string, WaitingRow>;
  /** The file that pays the same as a line under a reference that only the service knows; undefined: none. */
  findOther: (payout: Payout) => WaitingRow['file'] | undefined;
}>;

/**
 * The rows that wait in payout files of the book, submitted by an earlier run that was killed or by another person. A
 * second file with the same references would only be refused. A file of the console has references that the service
 * derives, so paying its rows from here would pay the same people twice.
 */
export async function findWaiting({
  kafue,
  stop,
}: Readonly<{ kafue: Pick<Kafue, 'payoutFiles'>; stop: AbortSignal }>): Promise<Waiting> {
  const rows = new Map<string, WaitingRow>();
  const others = new Map<string, WaitingRow['file']>();
  for (const state of UNDER_WAY) {
    for await (const file of kafue.payoutFiles.list({ state }, { signal: stop })) {
      const isDerived = file.references !== 'given' && file.failedRowsOf === null;
      const filter = { state: 'waiting', limit: ROWS_PER_CALL } as const;
      for await (const row of kafue.payoutFiles.rows(file.id, filter, { signal: stop })) {
        const reference = row.transferReference ?? row.reference;
        const means = meaningOfRow(file, row);
        if (isDerived) for (const name of namesOfRow(row)) others.set(name, file);
        else if (reference !== null) rows.set(reference, { file, means });
      }
    }
  }
  const findOther = (payout: Payout) =>
    namesOfPayout(payout)
      .map((name) => others.get(name))
      .find((file) => file !== undefined);
  return { rows, findOther };
}

function meaningOfRow({ walletId }: PayoutFileItem, row: PayoutRow): (payout: Payout) => boolean {
  const { amount, phone, operator, country, narration, name: recipientName } = row;
  if (amount === null || phone === null || operator === null) return () => false;
  if (country === null || walletId === null) return () => false;
  return meaningOf({ amount, phone, operator, country, walletId, narration, recipientName });
}

/** What identifies a payout in both a row and a line: its own reference, or recipient and amount. */
function namesOfRow({ reference, phone, country, amount }: PayoutRow): readonly string[] {
  const own = reference === null ? [] : [`reference ${reference}`];
  if (phone === null || country === null || amount === null) return own;
  return [...own, `${country} ${nationalNumber(phone, country)} ${fromJsonNumber(amount)}`];
}

function namesOfPayout(payout: Payout): readonly string[] {
  const { reference, retryOf, phone, country, amountMinor } = payout;
  return [
    `reference ${retryOf ?? reference}`,
    `${country} ${nationalNumber(phone, country)} ${amountMinor}`,
  ];
}
