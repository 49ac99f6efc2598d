import { createHash, type Hash } from 'node:crypto';
import type { Currency } from '../domain/money.ts';
import type { NameMatch } from '../domain/name-match.ts';
import type { Country, Operator } from '../domain/operator.ts';

/** What is paid by one row. */
export type RowContent = Readonly<{
  number: number;
  phone: string;
  operator: Operator;
  country: Country;
  amountMinor: bigint;
  /** What its transfer will cost besides. */
  feeMinor: bigint;
  recipientName: string | null;
  narration: string | null;
  givenReference: string | null;
  replaces: string | null;
  /** How the name fits the account's, where that was checked. It is no part of the content. */
  nameMatch: NameMatch | null;
}>;

/** What people approve with a file, beside its rows. */
export type FileOrder = Readonly<{
  bookId: string;
  fileId: string;
  currency: Currency;
  walletId: string | null;
  payAt: Date | null;
}>;

/** Rows are added in the order of their numbers, page by page; then the hash of all is taken. */
export type FileContent = Readonly<{
  add(row: RowContent): void;
  count(): number;
  sumMinor(): bigint;
  /** The same rows under another wallet or time have another hash. May be called more than once. */
  hash(order: FileOrder): string;
}>;

/**
 * The content hash of a file: SHA-256 over JSON with its keys in order and without blanks, in which `root` is the
 * SHA-256 of the rows, each as such JSON with a line feed after it. An approval of a file is for exactly this.
 */
export function createFileContent(): FileContent {
  const root = createHash('sha256');
  let count = 0;
  let sumMinor = 0n;
  return {
    add(row) {
      addLine(root, row);
      count += 1;
      sumMinor += row.amountMinor;
    },
    count: () => count,
    sumMinor: () => sumMinor,
    hash: ({ bookId, fileId, currency, walletId, payAt }) =>
      createHash('sha256')
        .update(
          JSON.stringify({
            bookId,
            count,
            currency,
            fileId,
            payAt: payAt?.toISOString() ?? null,
            root: root.copy().digest('hex'),
            sumMinor: String(sumMinor),
            walletId,
          }),
        )
        .digest('hex'),
  };
}

function addLine(hash: Hash, row: RowContent): void {
  const { amountMinor, country, feeMinor, givenReference, narration } = row;
  const { number, operator, phone, recipientName, replaces } = row;
  const line = JSON.stringify({
    amountMinor: String(amountMinor),
    country,
    feeMinor: String(feeMinor),
    givenReference,
    narration,
    number,
    operator,
    phone,
    recipientName,
    replaces,
  });
  hash.update(line).update('\n');
}
