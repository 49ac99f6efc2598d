import { randomUUID } from 'node:crypto';
import type { Book } from '../src/domain/book.ts';
import type { Database } from '../src/postgres/database.ts';
import { storeTestTransfer } from './stored-transfer.ts';
import { createTestBook, createTestWallet } from './test-book.ts';

type HeldWallet = Readonly<{ book: Book; walletId: string }>;

/** A wallet funded with 1,000,000.00 of which 25.50 is held for a transfer. */
export async function createHeldWallet(database: Database): Promise<HeldWallet> {
  const book = await createTestBook(database);
  const walletId = await createTestWallet(database, {
    bookId: book.id,
    fundedMinor: 100_000_000n,
  });
  await storeTestTransfer(database, {
    book,
    leaseOwner: randomUUID(),
    walletId,
    amountMinor: 2_550n,
    reference: '-1+cmd',
  });
  return { book, walletId };
}

/** Callers and ids that must all find no wallet: unknown, of another book, of the other mode, malformed. */
export async function wrongWallets(database: Database, { book, walletId }: HeldWallet) {
  return [
    { book, id: randomUUID() },
    { book: await createTestBook(database), id: walletId },
    { book: await createTestBook(database, { mode: 'live' }), id: walletId },
    { book, id: 'x' },
    { book, id: walletId.replaceAll('-', '') },
  ];
}
