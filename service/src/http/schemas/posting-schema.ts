import { Type } from 'typebox';
import { nullableText } from './nullable.ts';
import { CurrencyWord } from './transfer-schema.ts';

const PostingObject = Type.Object(
  {
    sequence: Type.Integer({ description: 'From 1 in each wallet, without gaps.' }),
    kind: Type.Unsafe<string>({
      type: 'string',
      enum: ['fund', 'hold', 'settle', 'fee', 'release', 'reverse', 'fee_return', 'fund_return'],
      description: 'Why the amount moved.',
    }),
    amount: Type.String({
      description: 'What moved, as a decimal string; never negative.',
      examples: ['25.50'],
    }),
    from: Type.String({
      description:
        'The account it left. `available` and `held` are the two of the wallet; the others are ' +
        '`funding`, `fees` and one clearing account for each operator and country.',
      examples: ['available'],
    }),
    to: Type.String({ description: 'The account it reached.', examples: ['held'] }),
    availableAfter: Type.String({
      description: 'What was available after it.',
      examples: ['999974.50'],
    }),
    heldAfter: Type.String({ description: 'What was held after it.', examples: ['25.50'] }),
    currency: CurrencyWord,
    transferId: nullableText({
      format: 'uuid',
      description: 'Null for a funding, and for one taken back.',
    }),
    reference: nullableText({
      description: 'Of the transfer, or of the funding that was booked or taken back.',
      examples: ['salary-2026-11-0042'],
    }),
    createdAt: Type.String({ format: 'date-time' }),
  },
  { $id: 'Posting' },
);

export const PostingListQuery = Type.Object({
  from: Type.Optional(
    Type.String({ format: 'date-time', description: 'Posted at or after this time.' }),
  ),
  to: Type.Optional(Type.String({ format: 'date-time', description: 'Posted before this time.' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 50 })),
  cursor: Type.Optional(Type.String({ description: '`nextCursor` of the page before.' })),
});

export const PostingPage = Type.Object({
  items: Type.Array(PostingObject),
  nextCursor: nullableText({ description: 'For the next page; null on the last.' }),
});
