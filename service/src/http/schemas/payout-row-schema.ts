import { Type } from 'typebox';
import { CURRENCIES } from '../../domain/money.ts';
import { COUNTRIES, OPERATORS } from '../../domain/operator.ts';
import { ROW_FIELDS, type RowField } from '../../domain/payout-file/row-fields.ts';
import { ROW_PROBLEMS, ROW_WARNINGS } from '../../domain/payout-file/row-problem.ts';
import { ROW_STATES } from '../../payout-files/payout-row.ts';
import { PageCursor, PageLimit } from './page-schema.ts';
import {
  nullableId,
  nullableInteger,
  nullableNumber,
  nullableText,
  nullableTime,
  nullableWords,
  words,
} from './plain-fields.ts';
import { Failure } from './transfer-schema.ts';

const RowStateWord = words(
  ROW_STATES,
  'ready: can be paid. problem: must be corrected or dropped. dropped: left out. waiting: submitted. created: has a transfer. refused: got none.',
);

export const FieldWord = words(ROW_FIELDS, 'The field of the row.');

const FIELD_MEANINGS: Readonly<Record<RowField, string>> = {
  phone: 'The number.',
  amount: 'The amount.',
  name: 'The name of the recipient.',
  operator: 'The operator.',
  country: 'The country of the number.',
  narration: 'The note for the recipient.',
  reference: 'Your own reference of the row.',
  walletId: 'The wallet.',
};

/** By field. */
const texts = (description: string, more: Readonly<Record<string, string>> = {}) =>
  Type.Unsafe<Record<string, string>>({
    type: 'object',
    properties: Object.fromEntries(
      Object.entries({ ...FIELD_MEANINGS, ...more }).map(([field, meaning]) => [
        field,
        { type: 'string', description: meaning },
      ]),
    ),
    additionalProperties: false,
    description,
  });

const problem = (codes: object) => ({
  code: words(Object.keys(codes), 'What it is.'),
  field: FieldWord,
  message: Type.String({ description: 'The same in a sentence, for people.' }),
});

const correction = (description: string) =>
  Type.Optional(nullableText({ maxLength: 400, description }));

export const PayoutRowObject = Type.Object(
  {
    number: Type.Integer({ minimum: 1, description: '1 is the first row below the header.' }),
    line: Type.Integer({ minimum: 1, description: 'Its line, or its row of the sheet.' }),
    state: RowStateWord,
    cells: texts('As it was in the file, by field.', {
      extra: 'What stands to the right of the last column that has a name.',
      next: 'The cell after the amount, where a comma may have cut the amount in two.',
    }),
    corrections: texts('What was corrected, by field.'),
    phone: nullableText({ description: 'In E.164; null: not a number.' }),
    operator: nullableWords(OPERATORS, 'The operator; null: not known.'),
    operatorPredicted: Type.Boolean({ description: 'It was not given: the number tells it.' }),
    country: nullableWords(COUNTRIES, 'The country of the number.'),
    currency: nullableWords(CURRENCIES, 'The currency.'),
    amount: nullableNumber('The amount; null: not an amount.'),
    fee: nullableNumber('What it costs on top.'),
    name: nullableText({ description: 'The name that was given.' }),
    narration: nullableText({ description: 'The note for the recipient.' }),
    reference: nullableText({ description: 'Your own reference of the row.' }),
    problems: Type.Array(Type.Object(problem(ROW_PROBLEMS)), {
      description: 'Why it cannot be paid.',
    }),
    warnings: Type.Array(
      Type.Object({
        ...problem(ROW_WARNINGS),
        row: nullableInteger('The other row.'),
        transferId: nullableId('The earlier transfer.'),
        fileId: nullableId('The other file.'),
      }),
      { description: 'What is worth a look.' },
    ),
    accountName: nullableText({ description: 'The name that the operator has.' }),
    nameMatch: nullableWords(['match', 'close', 'mismatch'], 'How the two names compare.'),
    nameCheckedAt: nullableTime('When the operator answered.'),
    replaces: nullableId('The transfer that this one is paid instead of.'),
    replacedFailure: Failure,
    transferReference: nullableText({ description: 'The reference of its transfer.' }),
    transferId: nullableId('Its transfer.'),
    transferState: nullableText({ description: 'The state of its transfer.' }),
    transferFailure: Failure,
    refusal: Type.Unsafe<object | null>({
      type: ['object', 'null'],
      properties: {
        code: { type: 'string', description: 'The code of the refusal.' },
        detail: { type: ['string', 'null'], description: 'What it says beside.' },
      },
      required: ['code', 'detail'],
      description: 'Why it got no transfer.',
    }),
  },
  { $id: 'PayoutRow', description: 'One payout of a file.' },
);

export const PayoutRowListQuery = Type.Object({
  problems: Type.Optional(
    Type.Unsafe<string>({
      type: 'string',
      enum: ['true', 'false'],
      description: 'True: only rows with a problem or a warning that are not dropped.',
    }),
  ),
  state: Type.Optional(RowStateWord),
  q: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'A part of the name, number or reference.',
    }),
  ),
  limit: PageLimit,
  cursor: PageCursor,
});

export const PayoutRowPage = Type.Object({
  items: Type.Array(PayoutRowObject, { description: 'The rows of this page, in their order.' }),
  nextCursor: nullableText({ description: 'For the next page; null on the last.' }),
});

export const PayoutRowBody = Type.Object(
  {
    phone: correction('The number. Null, here and below: back to what the file says.'),
    amount: Type.Optional(
      Type.Unsafe<string | number | null>({
        type: ['string', 'number', 'null'],
        maxLength: 400,
        description: 'The amount, as a number or as text.',
        examples: ['1735.50'],
      }),
    ),
    name: correction('The name of the recipient. An empty text: none.'),
    operator: correction('The operator. An empty text: as the number tells.'),
    country: correction('The country of the number.'),
    narration: correction('The note for the recipient.'),
    reference: correction('Your own reference of the row.'),
  },
  { additionalProperties: false },
);

export const RowParameters = Type.Object({
  id: Type.String({ format: 'uuid', description: 'The id of the payout file.' }),
  number: Type.Integer({ minimum: 1, maximum: 50_000, description: 'The number of the row.' }),
});

export const DroppedRows = Type.Object({
  dropped: Type.Integer({ minimum: 0, description: 'How many rows were dropped.' }),
});
