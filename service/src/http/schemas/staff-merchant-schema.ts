import { Type } from 'typebox';
import { CURRENCIES } from '../../domain/money.ts';
import { SCOPES } from '../../merchants/authenticated-key.ts';
import { optionalOrNull, words } from './plain-fields.ts';
import {
  count,
  flag,
  list,
  Named,
  orNull,
  text,
  time,
  timeOrNull,
  UnansweredCells,
} from './staff-fields.ts';
import { OptionalReason } from './staff-transfer-schema.ts';

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

export const SetFeesBody = Type.Object(
  { ...FeeFields, reason: OptionalReason },
  { additionalProperties: false },
);

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
  unansweredCells: UnansweredCells,
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

export const MerchantDetails = Type.Object({
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
    cell: optionalOrNull(
      Type.String({
        minLength: 1,
        maxLength: 40,
        description:
          'The cell that it is placed in. Without it: the open one with the fewest books.',
        examples: ['main'],
      }),
    ),
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
    reason: OptionalReason,
  },
  { additionalProperties: false },
);
