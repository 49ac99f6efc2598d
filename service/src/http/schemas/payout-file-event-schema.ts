import { Type } from 'typebox';
import { nullableText } from './plain-fields.ts';

/** A payout file as events and the list of approvals have it: by what was submitted. */
export const SubmittedFileObject = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'The id of the payout file.' }),
    name: Type.String({ description: 'The name that people gave it.' }),
    state: Type.String({
      enum: ['awaiting_approval', 'scheduled', 'paying', 'done', 'cancelled'],
      description: 'Where it is in its life.',
    }),
    source: Type.String({
      enum: ['file', 'schedule'],
      description: 'Whether people made it, or a schedule.',
    }),
    rows: Type.Integer({ minimum: 1, description: 'The number of rows to be paid.' }),
    amount: Type.String({
      description: 'The sum of its amounts, without fees, as decimal text.',
      examples: ['12500.00'],
    }),
    currency: Type.String({ enum: ['ZMW', 'NGN'], description: 'The currency of all its rows.' }),
    walletId: Type.String({ format: 'uuid', description: 'The wallet that it is paid from.' }),
    contentHash: Type.String({
      pattern: '^[0-9a-f]{64}$',
      description: 'The SHA-256 of what was submitted: approvals are for exactly this.',
    }),
    submittedAt: Type.String({ format: 'date-time', description: 'When it was submitted.' }),
    payAt: nullableText({
      format: 'date-time',
      description: 'When it is to be paid; null: as soon as it may.',
    }),
  },
  {
    $id: 'SubmittedFile',
    description: 'A payout file by what was submitted, which never changes.',
  },
);

/** The draft of a schedule by what people cannot change of it: an event looks the same whenever it is sent. */
export const NotSubmittedFileObject = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'The id of the payout file.' }),
    state: Type.String({ enum: ['draft'], description: 'It can be corrected and submitted.' }),
    source: Type.String({ enum: ['schedule'], description: 'A schedule made it.' }),
    scheduleId: Type.String({ format: 'uuid', description: 'The id of the schedule.' }),
    period: Type.String({
      description: 'The month or week that it is for.',
      examples: ['2026-11', '2026-W47'],
    }),
    payAt: Type.String({ format: 'date-time', description: 'When it was to be paid.' }),
    refusal: Type.Object(
      {
        code: Type.String({ description: 'The code of the refusal.' }),
        message: Type.String({ description: 'What is wrong.' }),
      },
      { description: 'Why it could not be submitted.' },
    ),
  },
  {
    $id: 'NotSubmittedFile',
    description: 'The payout file of a schedule that could not be submitted.',
  },
);
