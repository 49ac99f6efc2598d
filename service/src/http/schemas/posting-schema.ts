import { Type } from 'typebox';
import { PageCursor, PageLimit } from './page-schema.ts';
import { nullableText } from './plain-fields.ts';
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
      description: 'The amount that moved, as a decimal string; never negative.',
      examples: ['25.50'],
    }),
    from: Type.String({
      description:
        'The account it left. `available` and `held` are the two of the wallet; the others are ' +
        '`funding`, `fees` and one clearing account for each route to an operator.',
      examples: ['available'],
    }),
    to: Type.String({ description: 'The account it reached.', examples: ['held'] }),
    availableAfter: Type.String({
      description: 'The available balance after it.',
      examples: ['999974.50'],
    }),
    heldAfter: Type.String({ description: 'The held balance after it.', examples: ['25.50'] }),
    currency: CurrencyWord,
    transferId: nullableText({
      format: 'uuid',
      description:
        'The transfer that it belongs to. Null for a funding, and for a funding that was taken back.',
    }),
    reference: nullableText({
      description:
        'The reference of the transfer, or of the funding that was booked or taken back.',
      examples: ['salary-2026-11-0042'],
    }),
    createdAt: Type.String({ format: 'date-time', description: 'When it was posted.' }),
  },
  {
    $id: 'Posting',
    description: 'One line of a statement: an amount that moved from one account to another.',
  },
);

export const PostingListQuery = Type.Object({
  from: Type.Optional(
    Type.String({ format: 'date-time', description: 'Posted at or after this time.' }),
  ),
  to: Type.Optional(Type.String({ format: 'date-time', description: 'Posted before this time.' })),
  limit: PageLimit,
  cursor: PageCursor,
});

export const PostingPage = Type.Object({
  items: Type.Array(PostingObject, { description: 'The postings of this page, newest first.' }),
  nextCursor: nullableText({ description: 'For the next page; null on the last.' }),
});
