type PostingKind = 'fund' | 'hold' | 'settle' | 'fee' | 'release' | 'reverse' | 'fee_return';

/** A posting to be made, and its effect on the wallet. */
export type Leg = Readonly<{
  kind: PostingKind;
  amountMinor: bigint;
  availableDeltaMinor: bigint;
  heldDeltaMinor: bigint;
}>;

export type Posting = Leg &
  Readonly<{
    walletId: string;
    seq: number;
    transferId: string | null;
    availableAfterMinor: bigint;
    heldAfterMinor: bigint;
    atMs: number;
  }>;

type Wallet = Readonly<{
  bookId: string;
  id: string;
  availableMinor: bigint;
  heldMinor: bigint;
  postingSeq: number;
}>;

/** Stands for a violated CHECK constraint of the wallets: the transaction is rolled back. */
class BalanceRefused extends Error {}

/** A model of the wallets and postings that the service's ledger statements write. */
export type LedgerModel = Readonly<{
  open(wallet: Readonly<{ bookId: string; id: string; fundedMinor: bigint }>): void;
  wallet(id: string): Wallet | undefined;
  wallets(): readonly Wallet[];
  /** Posts all legs or none. */
  post(entry: Readonly<{ walletId: string; transferId: string; legs: readonly Leg[] }>): void;
  postings(): readonly Posting[];
}>;

export function createLedgerModel({
  nowMs,
  isChecked,
}: Readonly<{ nowMs: () => number; isChecked: boolean }>): LedgerModel {
  const wallets = new Map<string, Wallet>();
  const postings: Posting[] = [];

  function post(walletId: string, transferId: string | null, legs: readonly Leg[]): void {
    const found = wallets.get(walletId);
    if (found === undefined) throw new Error(`there is no wallet ${walletId}`);
    let wallet: Wallet = found;
    const made: Posting[] = [];
    for (const leg of legs) {
      wallet = {
        ...wallet,
        availableMinor: wallet.availableMinor + leg.availableDeltaMinor,
        heldMinor: wallet.heldMinor + leg.heldDeltaMinor,
        postingSeq: wallet.postingSeq + 1,
      };
      const isNegative = wallet.availableMinor < 0n || wallet.heldMinor < 0n;
      if (isNegative && isChecked) throw new BalanceRefused(leg.kind);
      made.push({
        ...leg,
        walletId,
        seq: wallet.postingSeq,
        transferId,
        availableAfterMinor: wallet.availableMinor,
        heldAfterMinor: wallet.heldMinor,
        atMs: nowMs(),
      });
    }
    wallets.set(walletId, wallet);
    postings.push(...made);
  }

  return {
    open({ bookId, id, fundedMinor }) {
      wallets.set(id, { bookId, id, availableMinor: 0n, heldMinor: 0n, postingSeq: 0 });
      post(id, null, [
        {
          kind: 'fund',
          amountMinor: fundedMinor,
          availableDeltaMinor: fundedMinor,
          heldDeltaMinor: 0n,
        },
      ]);
    },
    wallet: (id) => wallets.get(id),
    wallets: () => [...wallets.values()],
    post: ({ walletId, transferId, legs }) => post(walletId, transferId, legs),
    postings: () => postings,
  };
}

type Charge = Readonly<{ amountMinor: bigint; feeMinor: bigint }>;

export function holdLegs({ amountMinor, feeMinor }: Charge): readonly Leg[] {
  const totalMinor = amountMinor + feeMinor;
  return [
    {
      kind: 'hold',
      amountMinor: totalMinor,
      availableDeltaMinor: -totalMinor,
      heldDeltaMinor: totalMinor,
    },
  ];
}

/** The postings on entering a state; most states have none. */
export function legsOf(state: string, { amountMinor, feeMinor }: Charge): readonly Leg[] {
  const totalMinor = amountMinor + feeMinor;
  switch (state) {
    case 'succeeded':
      return some([
        { kind: 'settle', amountMinor, availableDeltaMinor: 0n, heldDeltaMinor: -amountMinor },
        { kind: 'fee', amountMinor: feeMinor, availableDeltaMinor: 0n, heldDeltaMinor: -feeMinor },
      ]);
    case 'failed':
    case 'cancelled':
      return [
        {
          kind: 'release',
          amountMinor: totalMinor,
          availableDeltaMinor: totalMinor,
          heldDeltaMinor: -totalMinor,
        },
      ];
    case 'reversed':
      return some([
        { kind: 'reverse', amountMinor, availableDeltaMinor: amountMinor, heldDeltaMinor: 0n },
        {
          kind: 'fee_return',
          amountMinor: feeMinor,
          availableDeltaMinor: feeMinor,
          heldDeltaMinor: 0n,
        },
      ]);
    default:
      return [];
  }
}

/** Drops postings of zero, such as the fee of a book without fees. */
function some(legs: readonly Leg[]): readonly Leg[] {
  return legs.filter(({ amountMinor }) => amountMinor > 0n);
}
