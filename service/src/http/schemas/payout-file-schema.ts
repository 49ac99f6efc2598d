import { Type } from 'typebox';
import { FLOAT_VERDICTS } from '../../domain/float.ts';
import { CURRENCIES } from '../../domain/money.ts';
import { ROW_FIELDS } from '../../domain/payout-file/row-fields.ts';
import { FILE_PROBLEMS, ROW_PROBLEMS, ROW_WARNINGS } from '../../domain/payout-file/row-problem.ts';
import { FILE_STATES } from '../../payout-files/payout-file.ts';
import { ROW_REFERENCES } from '../../payout-files/row-reference.ts';
import { FileApprovalObject } from './approval-schema.ts';
import { PageCursor, PageLimit } from './page-schema.ts';
import { FieldWord } from './payout-row-schema.ts';
import {
  nullableId,
  nullableInteger,
  nullableNumber,
  nullableText,
  nullableTime,
  nullableWords,
  words,
} from './plain-fields.ts';
import { CountryWord, OperatorWord } from './transfer-schema.ts';

const time = (description: string) => Type.String({ format: 'date-time', description });

const count = (description: string) => Type.Integer({ minimum: 0, description });

const sum = (description: string) => Type.String({ description, examples: ['1204880.00'] });

const FileStateWord = words(
  FILE_STATES,
  'checking: its rows are being checked. draft: to be corrected and submitted. Then awaiting_approval, scheduled, paying, done or cancelled.',
);

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
      warnings: count('Rows that can be paid and are worth a look.'),
      dropped: count('Rows that are left out.'),
      created: count('Rows with a transfer.'),
      refused: count('Rows whose transfer was refused.'),
      succeeded: count('Rows that were paid, those included that the operator returned later.'),
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
    approval: FileApprovalObject,
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

export const FailedRowsDraft = Type.Object(
  {
    ...PayoutFileObject.properties,
    rowsLeftOut: count(
      'Failed rows that are not in it: the operator says since that it paid them, or is being asked. The staff looks at them.',
    ),
  },
  { $id: 'FailedRowsDraft', description: 'The draft of the failed rows of a file.' },
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

export const DeletedFile = Type.Object({
  id: Type.String({ format: 'uuid', description: 'The id of the file that is gone.' }),
});
