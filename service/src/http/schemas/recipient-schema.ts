import { Type } from 'typebox';
import { PageCursor, PageLimit } from './page-schema.ts';
import { nullableText } from './plain-fields.ts';
import { CountryWord, ModeWord, OperatorWord, TypeWord } from './transfer-schema.ts';

const Phone = Type.String({
  description: 'In any spelling that means one mobile number of the country.',
  examples: ['0977433571', '+260 97 743-3571'],
});
const PhoneE164 = Type.String({ description: 'In E.164.', examples: ['+260977433571'] });
const AccountName = 'The name of the account at the operator.';

export const RecipientBody = Type.Object(
  {
    phone: Phone,
    operator: OperatorWord,
    country: CountryWord,
    accountName: Type.Optional(
      nullableText({
        description:
          'The name you know. It is compared with the one that the operator gives, and never ' +
          'replaces it.',
        maxLength: 100,
        examples: ['Chanda Banda'],
      }),
    ),
  },
  { additionalProperties: false },
);

export const RecipientObject = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'Our id of the recipient.' }),
    type: TypeWord,
    phone: PhoneE164,
    operator: OperatorWord,
    country: CountryWord,
    accountName: nullableText({
      description: `${AccountName} Null while it is pending.`,
      examples: ['Chanda Banda'],
    }),
    suppliedAccountName: nullableText({ description: 'As you gave it.' }),
    nameMatch: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      enum: ['match', 'close', 'mismatch', null],
      description: 'How the two names compare; null when you gave none, or while it is pending.',
    }),
    resolution: Type.Unsafe<string>({
      type: 'string',
      enum: ['resolved', 'pending'],
      description:
        'Pending: the operator could not be reached yet; the lookup is repeated in the background.',
    }),
    mode: ModeWord,
    createdAt: Type.String({ format: 'date-time', description: 'When it was stored.' }),
  },
  {
    $id: 'Recipient',
    description: 'A number that you pay, with the name that its operator knows.',
  },
);

export const RecipientListQuery = Type.Object({
  phone: Type.Optional(
    Type.String({ description: 'Exactly this number, in any spelling. Give + as %2B.' }),
  ),
  operator: Type.Optional(OperatorWord),
  country: Type.Optional(CountryWord),
  from: Type.Optional(
    Type.String({ format: 'date-time', description: 'Created at or after this time.' }),
  ),
  to: Type.Optional(Type.String({ format: 'date-time', description: 'Created before this time.' })),
  limit: PageLimit,
  cursor: PageCursor,
});

export const RecipientPage = Type.Object({
  items: Type.Array(RecipientObject, {
    description: 'The recipients of this page, newest first.',
  }),
  nextCursor: nullableText({ description: 'For the next page; null on the last.' }),
});

export const ResolveBody = Type.Object(
  { phone: Phone, operator: OperatorWord, country: CountryWord },
  { additionalProperties: false },
);

export const ResolvedAccountObject = Type.Object({
  phone: PhoneE164,
  accountName: Type.String({ description: AccountName, examples: ['Chanda Banda'] }),
  operator: OperatorWord,
  country: CountryWord,
});
