import { Type } from 'typebox';
import { PageCursor, PageLimit } from './page-schema.ts';
import { nullableText } from './plain-fields.ts';
import { CurrencyWord } from './transfer-schema.ts';

export const WalletObject = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'Give it as `walletId` to pay from it.' }),
    currency: CurrencyWord,
    available: Type.String({
      description: 'What can be paid out, as a decimal string.',
      examples: ['1000000.00'],
    }),
    held: Type.String({
      description: 'What is set aside for transfers that are under way, as a decimal string.',
      examples: ['25.50'],
    }),
    status: Type.Unsafe<string>({
      type: 'string',
      enum: ['active', 'frozen'],
      description: 'Nothing can be paid out of a frozen wallet.',
    }),
  },
  { $id: 'Wallet', description: 'An account of the book in one currency.' },
);

export const WalletListQuery = Type.Object({
  limit: PageLimit,
  cursor: PageCursor,
});

export const WalletPage = Type.Object({
  items: Type.Array(WalletObject, { description: 'The wallets of this page, newest first.' }),
  nextCursor: nullableText({ description: 'For the next page; null on the last.' }),
});
