import type { Currency } from '../../domain/money.ts';
import { type Refusal, refuse } from '../../domain/refusal.ts';
import type { RefusalCode } from '../../domain/refusal-codes.ts';
import { sameMeaning, type Transfer } from '../../domain/transfer.ts';
import type { AcceptedTransfer, PreparedTransfer } from './prepared-transfer.ts';
import { FILE_LOST } from './refuse-lost-files.ts';

export type AcceptResult =
  | Readonly<{ kind: 'accepted'; transfer: Transfer }>
  /** The Idempotency-Key was used before with the same meaning: the transfer as in the first response. */
  | Readonly<{ kind: 'replayed'; transfer: Transfer }>
  | Readonly<{ kind: 'refused'; refusal: Refusal }>;

/** A locked wallet, with what is left to spend. */
type SpendableWallet = Readonly<{
  currency: Currency;
  status: 'active' | 'frozen';
  availableMinor: bigint;
  /** What may still be held today; null: no limit. */
  leftTodayMinor: bigint | null;
}>;

/** A transfer that is already in the book. */
export type KnownTransfer = Readonly<{ current: Transfer; original: Transfer }>;

export type KnownTransfers = Readonly<{
  wallets: Map<string, SpendableWallet>;
  byReference: Map<string, KnownTransfer>;
  byIdempotencyKey: Map<string, KnownTransfer>;
}>;

export function inBook(bookId: string, word: string): string {
  return `${bookId} ${word}`;
}

/**
 * Decides commands exactly as if each had come alone, in their order: a refused one spends nothing and uses nothing up,
 * and an accepted one counts for all after it. `knowledge` is updated along the way.
 */
export function decideInOrder(
  commands: readonly Command[],
  knowledge: KnownTransfers,
  judge: Judge = JUDGED_ALONE,
): readonly OrderDecision[] {
  return commands.map((command) => {
    const decision = decide(command, knowledge, judge);
    if (decision.kind === 'accepted') {
      remember(command.prepared, decision.transfer, knowledge);
      judge.remember(command.prepared);
    }
    return decision;
  });
}

type Command = Readonly<{ prepared: PreparedTransfer; accepted: AcceptedTransfer }>;

/** With the row to be stored. */
export type OrderDecision =
  | (Extract<AcceptResult, Readonly<{ kind: 'accepted' }>> &
      Readonly<{ accepted: AcceptedTransfer }>)
  | Exclude<AcceptResult, Readonly<{ kind: 'accepted' }>>;

/** What the controls of the books say. An accepted order counts for those after it. */
export type Judge = Readonly<{
  judge(command: Command): Readonly<{ refusal: Refusal | null; accepted: AcceptedTransfer }>;
  remember(prepared: PreparedTransfer): void;
}>;

/** For orders that alone decide, or have no controls. */
export const JUDGED_ALONE: Judge = {
  judge: ({ prepared, accepted }) => ({ refusal: prepared.judged?.refusal ?? null, accepted }),
  remember: () => undefined,
};

/** What is answered where the key or the reference is in the book already; undefined: neither is. */
export function decideKnown(
  { book, command }: Pick<PreparedTransfer, 'book' | 'command'>,
  knowledge: KnownTransfers,
): Exclude<OrderDecision, Readonly<{ kind: 'accepted' }>> | undefined {
  const key = command.idempotencyKey;
  const replay = key === null ? undefined : knowledge.byIdempotencyKey.get(inBook(book.id, key));
  if (replay !== undefined) {
    return sameMeaning(replay.current, command)
      ? { kind: 'replayed', transfer: replay.original }
      : refused('IDEMPOTENCY_KEY_REUSED');
  }
  const known = knowledge.byReference.get(inBook(book.id, command.reference));
  if (known === undefined) return undefined;
  const samePayload = sameMeaning(known.current, command);
  const refusal = refuse('DUPLICATE_REFERENCE', { data: { transfer: known.current, samePayload } });
  return { kind: 'refused', refusal };
}

function decide(one: Command, knowledge: KnownTransfers, judge: Judge): OrderDecision {
  const { prepared } = one;
  const { book, command } = prepared;
  const known = decideKnown(prepared, knowledge);
  if (known !== undefined) return known;
  const { sendAtProblem } = prepared;
  if (sendAtProblem !== null) {
    const refusal = refuse('VALIDATION_ERROR', { fields: [sendAtProblem] });
    return { kind: 'refused', refusal };
  }
  const wallet = knowledge.wallets.get(inBook(book.id, command.walletId));
  const { refusal, accepted } = judge.judge(one);
  // Another process decides about the row: one that has lost the file must record no reason against it for good.
  if (refusal === FILE_LOST) return { kind: 'refused', refusal };
  const [code] = reasonsAgainst(
    {
      currency: command.currency,
      totalMinor: command.amountMinor + prepared.feeMinor,
      unroutable: prepared.unroutable,
      refusedAs: refusal?.code ?? null,
    },
    wallet,
  );
  if (code === undefined) return { kind: 'accepted', transfer: accepted.transfer, accepted };
  return refusal?.code === code ? { kind: 'refused', refusal } : refused(code);
}

type Spending = Readonly<{
  currency: Currency;
  totalMinor: bigint;
  unroutable: RefusalCode | null;
  /** As what the controls of the book refuse it. */
  refusedAs: RefusalCode | null;
}>;

/** Every reason to refuse, in the order in which they count: the first is the one that is answered. */
export function reasonsAgainst(
  { currency, totalMinor, unroutable, refusedAs }: Spending,
  wallet: SpendableWallet | undefined,
): readonly RefusalCode[] {
  if (wallet === undefined) return ['WALLET_NOT_FOUND'];
  if (wallet.currency !== currency) return ['CURRENCY_MISMATCH'];
  const { status, availableMinor, leftTodayMinor } = wallet;
  const reasons: RefusalCode[] = [];
  if (status !== 'active') reasons.push('WALLET_INACTIVE');
  if (refusedAs !== null) reasons.push(refusedAs);
  if (unroutable !== null) reasons.push(unroutable);
  if (availableMinor < totalMinor) reasons.push('INSUFFICIENT_BALANCE');
  if (leftTodayMinor !== null && leftTodayMinor < totalMinor) reasons.push('LIMIT_EXCEEDED');
  return reasons;
}

function refused(code: RefusalCode): Extract<OrderDecision, Readonly<{ kind: 'refused' }>> {
  return { kind: 'refused', refusal: refuse(code) };
}

function remember(prepared: PreparedTransfer, transfer: Transfer, knowledge: KnownTransfers): void {
  const { book, command, feeMinor } = prepared;
  const known = { current: transfer, original: transfer };
  knowledge.byReference.set(inBook(book.id, command.reference), known);
  if (command.idempotencyKey !== null) {
    knowledge.byIdempotencyKey.set(inBook(book.id, command.idempotencyKey), known);
  }
  const walletKey = inBook(book.id, command.walletId);
  const wallet = knowledge.wallets.get(walletKey);
  if (wallet === undefined) throw new Error('an accepted transfer has no wallet');
  const totalMinor = command.amountMinor + feeMinor;
  knowledge.wallets.set(walletKey, {
    ...wallet,
    availableMinor: wallet.availableMinor - totalMinor,
    leftTodayMinor: wallet.leftTodayMinor === null ? null : wallet.leftTodayMinor - totalMinor,
  });
}
