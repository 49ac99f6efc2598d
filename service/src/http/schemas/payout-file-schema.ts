import { Type } from 'typebox';
import { FLOAT_VERDICTS } from '../../domain/float.ts';
import { CURRENCIES } from '../../domain/money.ts';
import { COUNTRIES, OPERATORS } from '../../domain/operator.ts';
import { ROW_FIELDS, type RowField } from '../../domain/payout-file/row-fields.ts';
import { FILE_PROBLEMS, ROW_PROBLEMS, ROW_WARNINGS } from '../../domain/payout-file/row-problem.ts';
import { FILE_STATES } from '../../payout-files/payout-file.ts';
import { ROW_STATES } from '../../payout-files/payout-row.ts';
import { ROW_REFERENCES } from '../../payout-files/row-reference.ts';
import { nullableText } from './nullable.ts';
import { PageCursor, PageLimit } from './page-schema.ts';
import { CountryWord, Failure, OperatorWord } from './transfer-schema.ts';

const words = (values: readonly string[], description: string) =>
  Type.Unsafe<string>({ type: 'string', enum: [...values], description });
const nullableWords = (values: readonly string[], description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], enum: [...values, null], description });
const nullableNumber = (description: string) =>
  Type.Unsafe<number | null>({ type: ['number', 'null'], description });
const nullableInteger = (description: string) =>
  Type.Unsafe<number | null>({ type: ['integer', 'null'], description });
const nullableTime = (description: string) => nullableText({ format: 'date-time', description });
const nullableId = (description: string) => nullableText({ format: 'uuid', description });
const time = (description: string) => Type.String({ format: 'date-time', description });
const count = (description: string) => Type.Integer({ minimum: 0, description });
const sum = (description: string) => Type.String({ description, examples: ['1204880.00'] });

const FileStateWord = words(
  FILE_STATES,
  'checking: its rows are being checked. draft: to be corrected and submitted. Then awaiting_approval, scheduled, paying, done or cancelled.',
);
const RowStateWord = words(
  ROW_STATES,
  'ready: can be paid. problem: must be corrected or dropped. dropped: left out. waiting: submitted. created: has a transfer. refused: got none.',
);
const FieldWord = words(ROW_FIELDS, 'The field of the row.');

const FileProblem = Type.Unsafe<object | null>({
  type: ['object', 'null'],
  properties: {
    code: { type: 'string', enum: Object.keys(FILE_PROBLEMS), description: 'What is wrong.' },
    message: { type: 'string', description: 'The same in a sentence, for people.' },
    detail: { type: ['string', 'null'], description: 'Where it is.' },
  },
  required: ['code', 'message', 'detail'],
  description: 'Why the file could not be read; null: it could.',
});

const FILE_FIELDS = {
  id: Type.String({ format: 'uuid', description: 'Our id of the file.' }),
  name: Type.String({ description: 'Its name.', examples: ['October salaries.xlsx'] }),
  source: words(['file', 'schedule'], 'What its transfers show as their source.'),
  references: words(
    ROW_REFERENCES,
    'Whether the references of its transfers are derived from file and row, or given by the rows.',
  ),
  state: FileStateWord,
  format: nullableWords(['csv', 'xlsx'], 'As it was uploaded; null: made from other rows.'),
  sheet: nullableText({ description: 'The sheet of the workbook that was read.' }),
  otherSheets: Type.Array(Type.String(), {
    description: 'Further sheets that look like lists of payouts. They were not read.',
  }),
  columns: Type.Array(
    Type.Object({
      header: Type.String({ description: 'As it is in the file.' }),
      field: nullableWords(ROW_FIELDS, 'What it is read as; null: it is not used.'),
    }),
    { description: 'How the columns were understood, from left to right.' },
  ),
  problem: FileProblem,
  madeBy: Type.Object(
    {
      kind: words(['person', 'key', 'system'], 'What it was.'),
      id: nullableId('The id of the person or key.'),
      name: Type.String({ description: 'Its name.' }),
    },
    { description: 'Who made the file.' },
  ),
  createdAt: time('When it was uploaded.'),
  updatedAt: time('When it last changed.'),
  walletId: nullableId('The wallet to pay from; null: not chosen yet.'),
  currency: nullableWords(CURRENCIES, 'The currency of all rows; null: not known yet.'),
  progress: Type.Object(
    { checked: count('Rows that are checked.'), total: count('All rows.') },
    { description: 'How far the check is.' },
  ),
  counts: Type.Object(
    {
      rows: count('All rows.'),
      ready: count('Rows that can be paid.'),
      problems: count('Rows that must be corrected or dropped.'),
      warnings: count('Rows that are worth a look.'),
      dropped: count('Rows that are left out.'),
      created: count('Rows with a transfer.'),
      refused: count('Rows whose transfer was refused.'),
      succeeded: count('Rows that were paid.'),
      failed: count('Rows whose transfer failed.'),
      cancelled: count('Rows whose transfer was cancelled.'),
    },
    { description: 'How many rows there are of each kind.' },
  ),
  sum: sum('The amounts of all rows that are not dropped, without fees.'),
  names: Type.Object(
    {
      state: words(['none', 'asking', 'done'], 'Whether operators are being asked.'),
      total: count('Rows whose names are asked for.'),
      checked: count('Rows whose operator has answered.'),
    },
    { description: 'The check of names.' },
  ),
  version: Type.Integer({ description: 'Grows with each change.' }),
  contentHash: nullableText({
    description: 'What is approved: SHA-256 of its content. Null: a draft.',
  }),
  submittedAt: nullableTime('When it was submitted.'),
  submittedBy: nullableText({ description: 'The name of who submitted it.' }),
  payAt: nullableTime('When it is to be paid; null: at once.'),
  policyVersion: nullableInteger('The version of the policy that judged it.'),
  rules: Type.Array(Type.String(), { description: 'The rules of the policy that matched.' }),
  approvalExpiresAt: nullableTime('Until when it can be approved.'),
  payingAt: nullableTime('When paying began.'),
  endedAt: nullableTime('When it was done or cancelled.'),
  endedAs: nullableText({ description: 'Why it was cancelled.' }),
  failedRowsOf: nullableId('The file whose failed rows these are.'),
  scheduleId: nullableId('The schedule that made it.'),
};

const PayoutFileItem = Type.Object(FILE_FIELDS, {
  $id: 'PayoutFileItem',
  description: 'A list of payouts that people prepare together.',
});

export const PayoutFileObject = Type.Object(
  {
    ...FILE_FIELDS,
    fees: sum('What its payouts cost on top.'),
    total: sum('Amounts and fees together.'),
    problemKinds: Type.Array(
      Type.Object({
        code: words([...Object.keys(ROW_PROBLEMS), ...Object.keys(ROW_WARNINGS)], 'What it is.'),
        field: FieldWord,
        kind: words(['problem', 'warning'], 'Whether it must be corrected.'),
        message: Type.String({ description: 'The same in a sentence, for people.' }),
        count: count('How many rows have it.'),
      }),
      { description: 'What is wrong with rows that are not dropped, most frequent first.' },
    ),
    operators: Type.Array(
      Type.Object({
        operator: OperatorWord,
        country: CountryWord,
        count: count('Payouts.'),
        sum: sum('Their amounts.'),
        fees: sum('Their fees.'),
        open: Type.Boolean({ description: 'Whether it takes payouts now; else they wait.' }),
        float: Type.Unsafe<string | null>({
          type: ['string', 'null'],
          enum: [...FLOAT_VERDICTS, null],
          description:
            'Whether the money with the operator is enough for what is not sent yet. not_enough: payouts may fail until it is topped up. null: nothing is left to be sent.',
        }),
        min: nullableNumber('The smallest amount that it takes.'),
        max: nullableNumber('The largest amount that it takes.'),
      }),
      { description: 'Totals of each operator, the largest first.' },
    ),
    wallet: Type.Unsafe<object | null>({
      type: ['object', 'null'],
      properties: {
        id: { type: 'string', format: 'uuid', description: 'Its id.' },
        currency: { type: 'string', enum: [...CURRENCIES], description: 'The currency.' },
        status: { type: 'string', enum: ['active', 'frozen'], description: 'Whether it can pay.' },
        available: { type: 'string', description: 'What it has now.' },
        left: { type: 'string', description: 'What would be left; below zero: it is too little.' },
        leftToday: {
          type: ['string', 'null'],
          description: 'What may still leave it today; null: no limit.',
        },
        suffices: { type: 'boolean', description: 'Whether it can pay the whole file now.' },
      },
      required: ['id', 'currency', 'status', 'available', 'left', 'leftToday', 'suffices'],
      description: 'The wallet to pay from, against the total. Null: not chosen yet.',
    }),
    sameUploads: Type.Array(
      Type.Object({
        id: Type.String({ format: 'uuid', description: 'Its id.' }),
        name: Type.String({ description: 'Its name.' }),
        state: FileStateWord,
        createdAt: time('When it was uploaded.'),
      }),
      { description: 'Files that were uploaded with exactly the same content, newest first.' },
    ),
  },
  { $id: 'PayoutFile', description: 'A payout file with its totals and its problems.' },
);

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
const texts = (description: string) =>
  Type.Unsafe<Record<string, string>>({
    type: 'object',
    properties: Object.fromEntries(
      ROW_FIELDS.map((field) => [field, { type: 'string', description: FIELD_MEANINGS[field] }]),
    ),
    additionalProperties: false,
    description,
  });

const problem = (codes: object) => ({
  code: words(Object.keys(codes), 'What it is.'),
  field: FieldWord,
  message: Type.String({ description: 'The same in a sentence, for people.' }),
});

export const PayoutRowObject = Type.Object(
  {
    number: Type.Integer({ minimum: 1, description: '1 is the first row below the header.' }),
    line: Type.Integer({ minimum: 1, description: 'Its line, or its row of the sheet.' }),
    state: RowStateWord,
    cells: texts('As it was in the file, by field.'),
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

export const PayoutFileListQuery = Type.Object({
  state: Type.Optional(FileStateWord),
  limit: PageLimit,
  cursor: PageCursor,
});

export const PayoutFilePage = Type.Object({
  items: Type.Array(PayoutFileItem, { description: 'The files of this page, newest first.' }),
  nextCursor: nullableText({ description: 'For the next page; null on the last.' }),
});

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

export const PayoutFileUploadQuery = Type.Object({
  name: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'The name of the file. Left out: as the form says.',
    }),
  ),
  walletId: Type.Optional(
    Type.String({ format: 'uuid', description: 'The wallet to pay from. It can be chosen later.' }),
  ),
  references: Type.Optional(
    words(
      ROW_REFERENCES,
      'derived, as when left out: the references of the transfers follow from file and row. given: each row has one in ' +
        'its column `reference`, and its transfer gets exactly that.',
    ),
  ),
});

export const PayoutFileBody = Type.Object(
  {
    name: Type.Optional(nullableText({ maxLength: 100, description: 'Its new name.' })),
    walletId: Type.Optional(nullableId('The wallet to pay from.')),
  },
  { additionalProperties: false },
);

const correction = (description: string) =>
  Type.Optional(nullableText({ maxLength: 400, description }));

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
  dropped: count('How many rows were dropped.'),
});

export const DeletedFile = Type.Object({
  id: Type.String({ format: 'uuid', description: 'The id of the file that is gone.' }),
});
