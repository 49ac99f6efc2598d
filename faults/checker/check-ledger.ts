import type { PostingRow, Snapshot, TransferRow, WalletRow } from './snapshot.ts';
import { type Found, report } from './violation.ts';

/** The accounts of each kind of posting; the clearing account depends on the transfer. */
const ACCOUNTS: Readonly<Record<string, readonly [string, string]>> = {
  fund: ['funding', 'available'],
  hold: ['available', 'held'],
  settle: ['held', 'clearing'],
  fee: ['held', 'fees'],
  release: ['held', 'available'],
  reverse: ['clearing', 'available'],
  fee_return: ['fees', 'available'],
  fund_return: ['available', 'funding'],
};

/** I1, I3 and I4: postings are valid, wallets equal their sums, and were never below zero. */
export function checkLedger(snapshot: Snapshot, found: Found): void {
  const transfers = new Map(snapshot.transfers.map((row) => [row.id, row]));
  const byWallet = Map.groupBy(snapshot.postings, ({ walletId }) => walletId);
  const wallets = new Map(snapshot.wallets.map((row) => [row.id, row]));
  for (const [walletId, postings] of byWallet) {
    const wallet = wallets.get(walletId);
    for (const posting of postings) checkPosting({ posting, wallet, transfers }, found);
  }
  for (const wallet of snapshot.wallets) checkWallet(wallet, byWallet.get(wallet.id) ?? [], found);
}

type Placed = Readonly<{
  posting: PostingRow;
  wallet: WalletRow | undefined;
  transfers: ReadonlyMap<string, TransferRow>;
}>;

function checkPosting({ posting, wallet, transfers }: Placed, found: Found): void {
  const subject = { id: posting.transferId };
  const complain = (says: string) => report(found, 'I1', subject, says, { posting });
  if (wallet === undefined || wallet.bookId !== posting.bookId) {
    return complain('a posting is of a wallet that its book does not have');
  }
  if (wallet.currency !== posting.currency) complain('a posting is in another currency');
  if (BigInt(posting.amountMinor) <= 0n) complain('a posting has an amount of zero or less');
  const transfer = posting.transferId === null ? undefined : transfers.get(posting.transferId);
  if (posting.kind !== 'fund') {
    if (transfer === undefined) return complain('a posting names a transfer that does not exist');
    if (transfer.walletId !== posting.walletId) complain('a posting is of another wallet');
  }
  const clearing = `clearing:${transfer?.route}`;
  const [from, to] = (ACCOUNTS[posting.kind] ?? ['?', '?']).map((account) =>
    account === 'clearing' ? clearing : account,
  );
  if (posting.fromAccount !== from || posting.toAccount !== to) {
    complain(`a ${posting.kind} must go from ${from} to ${to}`);
  }
}

/** The effect of a posting on one of the wallet's two accounts. */
function effectOn(account: 'available' | 'held', posting: PostingRow): bigint {
  const amount = BigInt(posting.amountMinor);
  if (posting.toAccount === account) return amount;
  return posting.fromAccount === account ? -amount : 0n;
}

function checkWallet(wallet: WalletRow, postings: readonly PostingRow[], found: Found): void {
  let available = 0n;
  let held = 0n;
  let seq = 0n;
  for (const posting of postings) {
    const subject = { id: posting.transferId };
    seq += 1n;
    if (BigInt(posting.seq) !== seq) {
      report(found, 'I3', subject, `posting ${seq} of the wallet is missing`, { posting });
      seq = BigInt(posting.seq);
    }
    available += effectOn('available', posting);
    held += effectOn('held', posting);
    const sums = { available: String(available), held: String(held) };
    if (available < 0n || held < 0n) {
      report(found, 'I4', subject, 'the wallet went below zero', { posting, sums });
    }
    if (posting.availableAfterMinor !== sums.available || posting.heldAfterMinor !== sums.held) {
      report(found, 'I3', subject, 'a running balance is not the sum so far', { posting, sums });
    }
  }
  const sums = { available: String(available), held: String(held), seq: String(seq) };
  const says = [wallet.availableMinor, wallet.heldMinor, wallet.postingSeq].join(' ');
  if (says !== [sums.available, sums.held, sums.seq].join(' ')) {
    report(found, 'I3', {}, 'a wallet is not the sum of its postings', { wallet, sums });
  }
}
