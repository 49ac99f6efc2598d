import type { DatabaseModel, StoredTransfer } from './database-model.ts';
import {
  type AcceptResult,
  acceptTransfer,
  decideInOrder,
  inBook,
  type PreparedTransfer,
  type Transfer,
} from './service-core.ts';

/** The transaction of one command, decided by the service's own rules under the lock of its wallet. */
export function acceptOrder(
  database: DatabaseModel,
  order: Readonly<{
    prepared: PreparedTransfer;
    leaseOwner: string;
    at: Date;
    /** A person has to approve it. */
    isAsked: boolean;
  }>,
): AcceptResult {
  const { prepared, leaseOwner, at, isAsked } = order;
  const accepted = acceptTransfer(prepared, at, isAsked ? ASKED : prepared.judged);
  const [decision] = decideInOrder(
    [{ prepared, accepted }],
    readKnownTransfers(database, prepared),
  );
  if (decision === undefined) throw new Error('a command without a decision');
  if (decision.kind === 'accepted') database.store(accepted, leaseOwner);
  return decision;
}

const WEEK_MS = 7 * 24 * 3_600_000;
const ASKED: NonNullable<PreparedTransfer['judged']> = {
  policyVersion: 1,
  rules: ['asked'],
  refusal: null,
  approvalsNeeded: [{ rule: 'asked', count: 1, of: ['approver'] }],
  screens: [],
  warnings: [],
  expiresAfterMs: WEEK_MS,
};

function readKnownTransfers(database: DatabaseModel, { book, command }: PreparedTransfer) {
  const { walletId, reference, idempotencyKey: key, currency } = command;
  const wallet = database.ledger.wallet(walletId);
  const known = database.findByReference(book.id, reference);
  const keyed = key === null ? undefined : database.findByIdempotencyKey(book.id, key);
  const spendable = { currency, status: 'active' as const, leftTodayMinor: null };
  return {
    wallets: new Map(
      wallet?.bookId !== book.id
        ? []
        : [
            [
              inBook(book.id, walletId),
              { ...spendable, availableMinor: database.spendableMinor(walletId) },
            ] as const,
          ],
    ),
    byReference: entry(known, inBook(book.id, reference)),
    byIdempotencyKey: entry(keyed, inBook(book.id, key ?? '')),
  };
}

function entry(row: StoredTransfer | undefined, key: string) {
  const known = new Map<string, { current: Transfer; original: Transfer }>();
  if (row === undefined) return known;
  const { transfer: current, firstState } = row;
  return known.set(key, { current, original: { ...current, state: firstState } });
}
