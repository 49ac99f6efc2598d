import { Type } from 'typebox';
import { nullableText } from './nullable.ts';
import { CurrencyWord } from './transfer-schema.ts';

export const WalletObject = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
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
  { $id: 'Wallet' },
);

export const WalletListQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 50 })),
  cursor: Type.Optional(Type.String({ description: '`nextCursor` of the page before.' })),
});

export const WalletPage = Type.Object({
  items: Type.Array(WalletObject),
  nextCursor: nullableText({ description: 'For the next page; null on the last.' }),
});
