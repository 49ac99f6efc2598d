import { Type } from 'typebox';
import { nullableText } from './nullable.ts';
import { PageCursor, PageLimit } from './page-schema.ts';
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
        '`funding`, `fees` and one clearing account for each route to an operator.',
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
