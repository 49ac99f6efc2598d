import type { Kafue, Transfer } from '../../../sdk/src/index.ts';
import { fromJsonNumber } from '../payout-file/amount.ts';
import type { Payout } from '../payout-file/payout.ts';
import { nationalNumber } from '../payout-file/phone-shape.ts';
import { type SentTransfer, toSentTransfer } from './line-outcome.ts';

/** References per call: as many as one page of the list shows. */
const REFERENCES_PER_CALL = 100;
/** The service accepts 16 KiB of headers, which include the address. */
const REFERENCE_CHARS_PER_CALL = 8_000;
const CALLS_AT_ONCE = 4;

/** A transfer that has a reference of the file. */
export type FoundTransfer = Readonly<{
  sent: SentTransfer;
  means: (payout: Payout) => boolean;
}>;

export type FindDeps = Readonly<{
  kafue: Pick<Kafue, 'transfers'>;
  /** Ends the search. */
  stop: AbortSignal;
  /** Called with how many references were looked up since the last call. */
  onLookedUp: (count: number) => void;
}>;

/** The transfers that have one of the references, by reference. */
export async function findSent(
  { kafue, stop, onLookedUp }: FindDeps,
  references: readonly string[],
): Promise<ReadonlyMap<string, FoundTransfer>> {
  const found = new Map<string, FoundTransfer>();
  const groups = groupReferences(references).toReversed();
  const work = async (): Promise<void> => {
    for (let group = groups.pop(); group !== undefined; group = groups.pop()) {
      const filter = { reference: group, limit: REFERENCES_PER_CALL };
      const { items } = await kafue.transfers.list(filter, { signal: stop }).page();
      for (const transfer of items) found.set(transfer.reference, toFound(transfer));
      onLookedUp(group.length);
    }
  };
  await Promise.all(Array.from({ length: CALLS_AT_ONCE }, work));
  return found;
}

function groupReferences(references: readonly string[]): string[][] {
  const groups: string[][] = [];
  let chars = 0;
  for (const reference of references) {
    const group = groups.at(-1);
    chars += reference.length;
    const isFull = group?.length === REFERENCES_PER_CALL || chars > REFERENCE_CHARS_PER_CALL;
    if (group !== undefined && !isFull) {
      group.push(reference);
      continue;
    }
    groups.push([reference]);
    chars = reference.length;
  }
  return groups;
}

function toFound(transfer: Transfer): FoundTransfer {
  return { sent: toSentTransfer(transfer), means: meaningOf(transfer) };
}

type Order = Pick<
  Transfer,
  'amount' | 'phone' | 'operator' | 'country' | 'walletId' | 'narration' | 'recipientName'
>;

/** Whether a line orders the same payout. */
export function meaningOf(order: Order): (payout: Payout) => boolean {
  const { phone, operator, country, walletId, narration, recipientName } = order;
  const amountMinor = fromJsonNumber(order.amount);
  const national = nationalNumber(phone, country);
  return (payout) =>
    payout.amountMinor === amountMinor &&
    payout.operator === operator &&
    payout.country === country &&
    payout.walletId === walletId &&
    payout.narration === narration &&
    payout.recipientName === recipientName &&
    nationalNumber(payout.phone, country) === national;
}
