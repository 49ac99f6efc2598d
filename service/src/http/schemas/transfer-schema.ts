import { Type } from 'typebox';
import {
  METADATA_KEY_PATTERN,
  METADATA_KEYS_MAX,
  METADATA_VALUE_LENGTH_MAX,
} from '../../domain/metadata.ts';
import { CURRENCIES } from '../../domain/money.ts';
import { COUNTRIES, OPERATORS } from '../../domain/operator.ts';
import { FAILURES } from '../../domain/outcome.ts';
import { SOURCES } from '../../domain/source.ts';
import { TRANSFER_STATES, TRANSFER_STATUSES } from '../../domain/transfer-state.ts';
import { ApprovalObject } from './approval-schema.ts';
import { PageCursor, PageLimit } from './page-schema.ts';
import { nullableInteger, nullableText, nullableTime, words } from './plain-fields.ts';

export const OperatorWord = words(OPERATORS, 'The mobile money operator.');
export const CountryWord = words(COUNTRIES, 'The country of the number; it decides the currency.');
export const ModeWord = words(['test', 'live'], 'The mode of the book.');
export const CurrencyWord = words(CURRENCIES, 'The currency.');
const StatusWord = words(TRANSFER_STATUSES, 'The result, in one word.');
export const StateWord = words(TRANSFER_STATES, 'The exact state: see the table of states.');

export const TypeWord = words(['mobile-money'], 'How it is paid: always `mobile-money`.');

const REFERENCE_RULE = { pattern: '^[a-zA-Z0-9._-]+$', minLength: 1, maxLength: 100 } as const;

const METADATA_RULE = {
  propertyNames: { pattern: METADATA_KEY_PATTERN },
  additionalProperties: { type: 'string', maxLength: METADATA_VALUE_LENGTH_MAX },
} as const;

export const TransferBody = Type.Object(
  {
    amount: Type.Number({
      minimum: 0.01,
      maximum: 1_000_000_000,
      description:
        'A JSON number, read exactly, never rounded: at most 2 decimals in value, so 10.010 is 10.01 and 10.001 is refused.',
      examples: [25.5],
    }),
    reference: Type.String({
      ...REFERENCE_RULE,
      description: 'Your own reference, unique in the book for ever.',
      examples: ['salary-2026-11-0042'],
    }),
    phone: Type.String({
      description: 'The recipient, in any spelling that means one mobile number of the country.',
      examples: ['0977433571', '+260 97 743-3571'],
    }),
    operator: OperatorWord,
    country: CountryWord,
    walletId: Type.String({ format: 'uuid', description: 'The wallet to pay from.' }),
    narration: Type.Optional(
      nullableText({ maxLength: 100, description: 'A note for the recipient.' }),
    ),
    recipientName: Type.Optional(
      nullableText({ maxLength: 100, description: 'A name for your records.' }),
    ),
    metadata: Type.Optional(
      Type.Unsafe<Record<string, string> | null>({
        type: ['object', 'null'],
        maxProperties: METADATA_KEYS_MAX,
        ...METADATA_RULE,
        description:
          'Names of your own for it: up to 20 keys of 1 to 40 letters, digits, dots, underscores and hyphens, each with a text of at most 200 characters. Returned with the transfer, and never sent to the operator.',
        examples: [{ invoice: '2026-117' }],
      }),
    ),
    sendAt: Type.Optional(
      nullableText({
        format: 'date-time',
        description:
          'When to send it: with an offset, not in the past, at most 90 days ahead. Left out: at once.',
        examples: ['2026-12-24T08:00:00+02:00'],
      }),
    ),
  },
  { additionalProperties: false },
);

export const IdempotencyHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description:
        'The same key with the same meaning gives the first answer again, ' +
        'with Idempotent-Replayed: true.',
    }),
  ),
});

const time = (description: string) => Type.String({ format: 'date-time', description });
export const Failure = Type.Unsafe<{ code: string; message: string } | null>({
  type: ['object', 'null'],
  properties: {
    code: {
      type: 'string',
      enum: Object.keys(FAILURES),
      description: 'Decide by it: see why a transfer failed.',
    },
    message: { type: 'string', description: 'The same in a sentence, for people.' },
  },
  required: ['code', 'message'],
  description: 'Why it failed; null unless it did.',
});

const SourceWord = words(
  SOURCES,
  'How it came: `api` by a key, `console` by a person, or as a row of a payout `file` or a `schedule`.',
);

export const TransferObject = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'Our id of the transfer.' }),
    type: TypeWord,
    reference: Type.String({ description: 'Your reference.' }),
    status: StatusWord,
    state: StateWord,
    amount: Type.Number({ description: 'What the recipient gets.' }),
    fee: Type.Number({ description: 'What the transfer costs on top of the amount.' }),
    currency: CurrencyWord,
    walletId: Type.String({ format: 'uuid', description: 'The wallet that pays.' }),
    phone: Type.String({ description: 'In E.164.', examples: ['+260977433571'] }),
    operator: OperatorWord,
    country: CountryWord,
    recipientName: nullableText({ description: 'As you gave it.' }),
    narration: nullableText({ description: 'As you gave it.' }),
    metadata: Type.Unsafe<Record<string, string> | null>({
      type: ['object', 'null'],
      additionalProperties: { type: 'string' },
      description: 'As you gave it, in the order of its keys.',
    }),
    sendAt: nullableTime('When it is to be sent; null: at once.'),
    source: SourceWord,
    policyVersion: nullableInteger(
      'The version of the policy that judged it; null: none was in force.',
    ),
    rules: Type.Array(Type.String(), {
      description: 'The names of the rules of that policy that matched.',
    }),
    contentHash: nullableText({
      description:
        'SHA-256 over what is paid, to whom and when: what an approval is bound to. Null: none was asked for.',
    }),
    approval: ApprovalObject,
    payoutFileId: nullableText({ description: 'The payout file that it is a row of.' }),
    replaces: nullableText({ description: 'The failed transfer that it pays anew.' }),
    operatorTransactionId: nullableText({ description: "The operator's receipt." }),
    failure: Failure,
    mode: ModeWord,
    createdAt: time('When it was accepted.'),
    updatedAt: time('When its state last changed.'),
    completedAt: nullableTime('When it became final.'),
    inDoubtSince: Type.Optional(time('While in doubt: since when.')),
    lastCheckedAt: Type.Optional(
      nullableTime('While in doubt: when the last inquiry to the operator was made.'),
    ),
    nextCheckAt: Type.Optional(
      nullableTime(
        'While in doubt: when the next inquiry is due; null once it waits for a person.',
      ),
    ),
  },
  { $id: 'Transfer', description: 'Your order to pay a phone number, and what became of it.' },
);

export const TransferListQuery = Type.Object({
  reference: Type.Optional(
    Type.String({
      pattern: '^[a-zA-Z0-9._-]{1,100}(,[a-zA-Z0-9._-]{1,100}){0,99}$',
      description: 'Exactly this reference; or any of up to 100, with commas between.',
    }),
  ),
  status: Type.Optional(StatusWord),
  state: Type.Optional(StateWord),
  operator: Type.Optional(OperatorWord),
  country: Type.Optional(CountryWord),
  walletId: Type.Optional(Type.String({ format: 'uuid', description: 'Paid from this wallet.' })),
  phone: Type.Optional(
    Type.String({
      description: 'Paid to this number, in any spelling; with `country` a number of that country.',
      examples: ['0977433571'],
    }),
  ),
  amountFrom: Type.Optional(
    Type.Number({ minimum: 0.01, maximum: 1_000_000_000, description: 'At least this amount.' }),
  ),
  amountTo: Type.Optional(
    Type.Number({ minimum: 0.01, maximum: 1_000_000_000, description: 'At most this amount.' }),
  ),
  from: Type.Optional(time('Created at or after this time.')),
  to: Type.Optional(time('Created before this time.')),
  metadata: Type.Optional(
    Type.Unsafe<Record<string, string>>({
      type: 'object',
      minProperties: 1,
      maxProperties: 1,
      ...METADATA_RULE,
      description: 'With this value under this key of its metadata, as `metadata[KEY]=value`.',
    }),
  ),
  limit: PageLimit,
  cursor: PageCursor,
});

export const TransferPage = Type.Object({
  items: Type.Array(TransferObject, { description: 'The transfers of this page, newest first.' }),
  nextCursor: nullableText({ description: 'For the next page; null on the last.' }),
});

export const TransferHistory = Type.Object({
  items: Type.Array(
    Type.Object({
      sequence: Type.Integer({ description: 'Counts the entries of the transfer from 1.' }),
      from: nullableText({ description: 'The state before; null at the beginning.' }),
      state: StateWord,
      event: nullableText({
        description: 'The type of the event that told you; null when none did.',
      }),
      cause: Type.String({ description: 'Why the state changed.' }),
      actor: Type.String({ description: 'Who changed it: an API key, a person or the service.' }),
      at: time('When it changed.'),
    }),
    { description: 'Every state that the transfer was in, oldest first.' },
  ),
});
