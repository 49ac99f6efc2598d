import { Type } from 'typebox';
import { CURRENCIES } from '../../domain/money.ts';
import { nullableText, words } from './plain-fields.ts';
import {
  flag,
  list,
  Named,
  objectOrNull,
  orNull,
  text,
  time,
  timeOrNull,
  UnansweredCells,
} from './staff-fields.ts';
import { StaffWallet } from './staff-merchant-schema.ts';

export const FundingBody = Type.Object(
  {
    amount: Type.Number({
      minimum: 0.01,
      maximum: 1_000_000_000,
      description: 'What arrived, with at most 2 decimals.',
      examples: [25_000],
    }),
    reference: Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'What names this funding, such as the line of the bank statement. Used once.',
      examples: ['bank-2026-11-16-7'],
    }),
  },
  { additionalProperties: false },
);

export const Funded = Type.Object({
  wallet: StaffWallet,
  already: flag('This very funding was booked before, so nothing was booked now.'),
});

export const TakeBackBody = Type.Object(
  {
    fundingReference: Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'The reference of the funding.',
      examples: ['bank-2026-11-16-7'],
    }),
    reason: Type.String({
      minLength: 1,
      maxLength: 500,
      description: 'Why it was wrong, for the record.',
      examples: ['Booked to the wrong merchant'],
    }),
    seen: Type.Optional(
      nullableText({
        maxLength: 100,
        description:
          'The id of the open proposal for this funding that you saw, or `none`. If it is another now, the answer is 409 `CONTENT_CHANGED`, and nothing is changed.',
      }),
    ),
  },
  { additionalProperties: false },
);

export const TakenBack = Type.Object({
  result: words(['proposed', 'confirmed'], 'Whether it waits for a second person or is done.'),
  wallet: StaffWallet,
  fundingReference: text('The reference of the funding.'),
  amount: text('The whole amount of the funding, as decimal text.'),
  proposedBy: text('Who proposed it.'),
  confirmedBy: orNull('Who confirmed it; null: it waits.'),
  expiresAt: timeOrNull('Until when another person can confirm it; null: it is done.'),
});

export const TakeBackList = Type.Object({
  items: list(
    Type.Object(
      {
        id: text('The id of the proposal.'),
        merchant: Named,
        mode: words(['test', 'live'], 'The mode of the book.'),
        walletId: text('The wallet.'),
        currency: words(CURRENCIES, 'Its currency.'),
        fundingReference: text('The reference of the funding.'),
        amount: text('The amount of the funding, as decimal text.'),
        reason: text('Why, in the words of the first person.'),
        proposedBy: Named,
        proposedAt: time('When it was proposed.'),
        expiresAt: time('Until when another person can confirm it.'),
        end: objectOrNull(
          {
            at: time('When it ended.'),
            as: words(['carried_out', 'withdrawn', 'expired'], 'How it ended.'),
            by: orNull('Who ended it; null: its time ran out.'),
            reason: orNull('Why, in the words of the second person.'),
          },
          'How it ended; null: it waits for a second person.',
        ),
      },
      { description: 'A proposal to take a funding back.' },
    ),
    'The newest first.',
  ),
  more: flag('There are more than are listed.'),
  unansweredCells: UnansweredCells,
});
