import { Type } from 'typebox';
import { CURRENCIES } from '../../domain/money.ts';
import { SCOPES } from '../../merchants/authenticated-key.ts';
import { nullableText, optionalOrNull } from './nullable.ts';
import {
  count,
  flag,
  list,
  Named,
  objectOrNull,
  orNull,
  text,
  time,
  timeOrNull,
  words,
} from './staff-fields.ts';

const FeeFields = {
  fixed: Type.String({
    pattern: '^[0-9]+(\\.[0-9]{1,2})?$',
    description: 'What each transfer costs, as decimal text.',
    examples: ['0.50'],
  }),
  percent: Type.String({
    pattern: '^[0-9]+(\\.[0-9]{1,2})?$',
    description: 'The share of the amount on top, in percent, as decimal text.',
    examples: ['1.5'],
  }),
};

export const FeesBody = Type.Object(FeeFields, {
  additionalProperties: false,
  description: 'What transfers cost.',
});

const Book = Type.Object(
  {
    id: text('The id of the book.'),
    mode: words(['test', 'live'], 'Its mode.'),
    fees: Type.Object(FeeFields, { description: 'What its transfers cost.' }),
  },
  { description: 'A book of the merchant.' },
);

const MerchantFields = {
  id: text('The id of the merchant.'),
  name: text('Its name.'),
  createdAt: time('When it was created.'),
  suspendedAt: timeOrNull('Since when it may not pay; null: it may.'),
  books: list(Book, 'Its test and its live book.'),
};

export const StaffMerchant = Type.Object(MerchantFields, {
  $id: 'Merchant',
  description: 'A merchant and its books.',
});

export const MerchantList = Type.Object({
  items: list(
    Type.Object(
      {
        ...MerchantFields,
        liveKeys: count('Keys of both books that work.'),
        wallets: count('Wallets of both books.'),
      },
      { description: 'A merchant.' },
    ),
    'By name.',
  ),
  more: flag('There are more than are listed.'),
});

export const StaffWallet = Type.Object(
  {
    id: text('The id of the wallet.'),
    bookId: text('The book that it is in.'),
    merchant: Named,
    mode: words(['test', 'live'], 'The mode of its book.'),
    currency: words(CURRENCIES, 'Its currency.'),
    name: text('Its name.'),
    status: words(['active', 'frozen'], 'Nothing can be paid out of a frozen wallet.'),
    available: text('What can be paid out, as decimal text.'),
    held: text('What is set aside for transfers, as decimal text.'),
    dailyLimit: orNull('What may be held in one day (UTC), as decimal text; null: no limit.'),
    lowBalance: orNull('Below this the merchant is told, as decimal text; null: never.'),
    createdAt: time('When it was created.'),
  },
  { $id: 'StaffWallet', description: 'A wallet as the staff see it, with whose it is.' },
);

const KeyFields = {
  id: text('The id of the key; not the key itself.'),
  bookId: text('The book that it opens.'),
  mode: words(['test', 'live'], 'The mode of that book.'),
  hint: text('Its first and last characters.'),
  name: text('What people call it.'),
  scopes: list(text('A scope.'), 'What it may do.'),
  addresses: list(text('An address or range.'), 'Where it may be used from; empty: anywhere.'),
  createdAt: time('When it was created.'),
  expiresAt: timeOrNull('When it ends by itself; null: never.'),
};

export const StaffKey = Type.Object(
  {
    ...KeyFields,
    revokedAt: timeOrNull('When it was revoked; null: it was not.'),
    lastUsedAt: timeOrNull('When it was used last, to the minute.'),
    state: text('active, awaiting_confirmation, expired or revoked.'),
  },
  { $id: 'StaffKey', description: 'A key of any book, without its secret.' },
);

export const IssuedStaffKey = Type.Object({
  ...KeyFields,
  secret: text('The key itself. It is shown this once.'),
});

export const KeyBody = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'What people call it.',
      examples: ['Payroll server'],
    }),
    scopes: optionalOrNull(
      Type.Array(words(SCOPES, 'A scope.'), { description: 'What it may do. Empty: everything.' }),
    ),
    addresses: optionalOrNull(
      Type.Array(text('An address or range.'), {
        maxItems: 50,
        description: 'Where it may be used from. Empty: anywhere.',
      }),
    ),
    expiresAt: Type.Optional(timeOrNull('When it ends by itself; null: never.')),
  },
  { additionalProperties: false },
);

export const MerchantDossier = Type.Object({
  ...MerchantFields,
  wallets: list(StaffWallet, 'The wallets of both books.'),
  keys: list(StaffKey, 'The keys of both books, newest first.'),
  people: list(
    Type.Object(
      {
        id: text('The id of the person.'),
        name: text('Their name.'),
        email: orNull('Their e-mail address.'),
        roles: list(
          Type.Object(
            { role: text('The role.'), bookId: orNull('In this book only; null: in both.') },
            { description: 'A role.' },
          ),
          'What they may do.',
        ),
      },
      { description: 'A person of the merchant.' },
    ),
    'The people of the merchant, by name.',
  ),
});

export const MerchantBody = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'Its name, which no other merchant has.',
      examples: ['Mosi Traders'],
    }),
    fees: optionalOrNull(FeesBody),
  },
  { additionalProperties: false },
);

export const WalletBody = Type.Object(
  {
    currency: words(CURRENCIES, 'Its currency.'),
    name: Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'What people call it.',
      examples: ['Salaries'],
    }),
  },
  { additionalProperties: false },
);

export const CreatedWallet = Type.Object({
  id: text('The id of the wallet.'),
  bookId: text('The book that it is in.'),
  currency: words(CURRENCIES, 'Its currency.'),
  name: text('Its name.'),
  createdAt: time('When it was created.'),
});

export const AmountOrNullBody = Type.Object(
  {
    amount: Type.Unsafe<number | null>({
      type: ['number', 'null'],
      minimum: 0.01,
      maximum: 1_000_000_000,
      description: 'With at most 2 decimals; null for none.',
      examples: [50_000],
    }),
  },
  { additionalProperties: false },
);

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
});

export const ReplayBody = Type.Object(
  {
    from: Type.Optional(nullableText({ format: 'date-time', description: 'From this time on.' })),
    to: Type.Optional(nullableText({ format: 'date-time', description: 'Before this time.' })),
  },
  { additionalProperties: false },
);

export const FailingEndpoint = Type.Object(
  {
    endpointId: text('The id of the endpoint.'),
    merchant: Named,
    mode: words(['test', 'live'], 'The mode of its book.'),
    url: text('Its address.'),
    status: words(['enabled', 'disabled'], 'Nothing is sent to a disabled one.'),
    disabledReason: orNull('Why it was disabled; null: it was not.'),
    failingSince: timeOrNull('Since when no delivery has succeeded.'),
    waiting: count('Deliveries that wait for their next attempt, at most 10,000 counted.'),
  },
  { $id: 'FailingWebhook', description: 'An endpoint that does not take its events.' },
);

export const FailingEndpointList = Type.Object({
  items: list(FailingEndpoint, 'The one that has failed longest comes first.'),
  more: flag('There are more than are listed.'),
});
