import { randomBytes, randomUUID } from 'node:crypto';
import type { Cell, Cells } from '../src/cells/cell.ts';
import type { Book } from '../src/domain/book.ts';
import type { Currency } from '../src/domain/money.ts';
import type { Mode } from '../src/domain/transfer.ts';
import { fundWallet } from '../src/ledger/fund-wallet.ts';
import { SCOPES, type Scope } from '../src/merchants/authenticated-key.ts';
import { createMerchant, createMerchantIn } from '../src/merchants/create-merchant.ts';
import { createWallet } from '../src/merchants/create-wallet.ts';
import { issueKey } from '../src/merchants/issue-key.ts';
import type { Database } from '../src/postgres/database.ts';
import { TEST_ACTOR } from './test-actor.ts';

type PerMode<T> = Readonly<Record<Mode, T>>;

export type TestMerchant = Readonly<{
  id: string;
  name: string;
  books: PerMode<string>;
  keys: PerMode<string>;
  /** All wallets are funded with `fundedMinor`. */
  wallets: PerMode<Readonly<Record<Currency, string>>>;
  /** Issues another key. */
  issueKey(options: {
    mode?: Mode;
    scopes?: readonly Scope[];
    addresses?: readonly string[];
  }): Promise<{
    id: string;
    text: string;
  }>;
  createWallet(options: {
    mode?: Mode;
    currency?: Currency;
    fundedMinor?: bigint;
  }): Promise<string>;
}>;

/** One of its books, as the service knows it: without fees and without a policy. */
export function bookOf(
  { id, books }: Pick<TestMerchant, 'id' | 'books'>,
  mode: Mode = 'test',
): Book {
  return {
    id: books[mode],
    merchantId: id,
    mode,
    feeTerms: { fixedMinor: 0n, basisPoints: 0 },
    isSuspended: false,
    controlsVersion: null,
  };
}

const cellsOf = (cell: Cell): Cells => ({ list: () => [cell], named: () => cell });

/** 1,000,000.00 */
const FUNDED_MINOR = 100_000_000n;

/** Creates a merchant with a key and funded wallets in both modes, directly in the database. */
export async function createTestMerchant(
  database: Database,
  {
    fundedMinor = FUNDED_MINOR,
    cell,
  }: {
    fundedMinor?: bigint;
    /** Where the database is a cell on another server than the directory. */
    cell?: Readonly<{ name: string; directory: Database }>;
  } = {},
): Promise<TestMerchant> {
  const deps = {
    database,
    directory: cell?.directory ?? database,
    now: () => new Date(),
    newId: () => randomUUID(),
    randomBytes,
  };
  const request = {
    actor: TEST_ACTOR,
    name: `Merchant ${randomUUID().slice(0, 18)}`,
    feeTerms: { fixedMinor: 0n, basisPoints: 0 },
  };
  const merchant =
    cell === undefined
      ? await database.transaction((tx) => createMerchantIn(tx, deps, request))
      : await createMerchant(
          { ...deps, cells: cellsOf({ name: cell.name, database }) },
          { ...request, cell: cell.name },
        );
  const books: PerMode<string> = { test: merchant.books.test.id, live: merchant.books.live.id };

  const issue: TestMerchant['issueKey'] = ({ mode = 'test', scopes = SCOPES, addresses = [] }) =>
    issueKey(deps, {
      actor: TEST_ACTOR,
      bookId: books[mode],
      mode,
      name: 'Test',
      scopes,
      addresses,
      expiresAt: null,
    });

  const create: TestMerchant['createWallet'] = async (options) => {
    const { mode = 'test', currency = 'ZMW', fundedMinor: amountMinor = fundedMinor } = options;
    const bookId = books[mode];
    const { id } = await createWallet(deps, { actor: TEST_ACTOR, bookId, currency, name: 'Test' });
    if (amountMinor === 0n) return id;
    await fundWallet(deps, { bookId, walletId: id, amountMinor, fundingReference: id });
    return id;
  };

  const both = async (mode: Mode) => ({
    ZMW: await create({ mode, currency: 'ZMW' }),
    NGN: await create({ mode, currency: 'NGN' }),
  });
  return {
    id: merchant.id,
    name: merchant.name,
    books,
    keys: {
      test: (await issue({ mode: 'test' })).text,
      live: (await issue({ mode: 'live' })).text,
    },
    wallets: { test: await both('test'), live: await both('live') },
    issueKey: issue,
    createWallet: create,
  };
}
