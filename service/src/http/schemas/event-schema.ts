import { type TSchema, Type } from 'typebox';
import type { EventType } from '../../events/event-types.ts';
import { PageLimit } from './page-schema.ts';
import { NotSubmittedFileObject, SubmittedFileObject } from './payout-file-event-schema.ts';
import { nullableText } from './plain-fields.ts';
import { RecipientObject } from './recipient-schema.ts';
import { ModeWord, TransferObject } from './transfer-schema.ts';
import { WalletObject } from './wallet-schema.ts';
import { EventTypeWord, WebhookObject } from './webhook-schema.ts';

const envelope = {
  id: Type.String({
    description:
      'The same in the feed and in every delivery: ignore an id that you have already handled.',
    examples: ['evt_0190a5dac96774bbcceb302099a80570_1'],
  }),
  createdAt: Type.String({ format: 'date-time', description: 'When it happened.' }),
  mode: ModeWord,
  sequence: Type.Integer({
    minimum: 1,
    description: 'Counts the events of one subject, such as a transfer, upwards from 1.',
  }),
};

/** The schema of the `data` of each type. */
const SUBJECTS: Readonly<Record<EventType, TSchema>> = {
  'transfer.created': TransferObject,
  'transfer.awaiting_approval': TransferObject,
  'transfer.approved': TransferObject,
  'transfer.approval_impossible': TransferObject,
  'transfer.submitted': TransferObject,
  'transfer.in_doubt': TransferObject,
  'transfer.successful': TransferObject,
  'transfer.failed': TransferObject,
  'transfer.cancelled': TransferObject,
  'transfer.reversed': TransferObject,
  'recipient.created': RecipientObject,
  'recipient.resolved': RecipientObject,
  'wallet.low_balance': WalletObject,
  'payout_file.not_submitted': NotSubmittedFileObject,
  'payout_file.awaiting_approval': SubmittedFileObject,
  'payout_file.approval_impossible': SubmittedFileObject,
  'payout_file.scheduled': SubmittedFileObject,
  'payout_file.paying': SubmittedFileObject,
  'payout_file.done': SubmittedFileObject,
  'payout_file.cancelled': SubmittedFileObject,
  'webhook.disabled': WebhookObject,
  'webhook.test': TransferObject,
};

/** The schema of a whole event of one type. */
export function eventSchema(type: EventType): TSchema {
  const { id, createdAt, mode, sequence } = envelope;
  const word = Type.Unsafe<string>({
    type: 'string',
    const: type,
    description: 'What happened.',
  });
  return Type.Object({ id, type: word, createdAt, mode, sequence, data: SUBJECTS[type] });
}

/**
 * An event of any type, for the feed. `data` has no schema of its own here: choosing among the subjects' schemas for
 * each item would cost more than the rest of the answer.
 */
export const EventObject = Type.Object(
  {
    id: envelope.id,
    type: EventTypeWord,
    createdAt: envelope.createdAt,
    mode: envelope.mode,
    sequence: envelope.sequence,
    data: Type.Unsafe<object>({
      type: 'object',
      additionalProperties: true,
      description:
        'The whole object as it was then: a transfer, recipient, wallet, payout file or webhook, as `type` says.',
    }),
  },
  { $id: 'Event', description: 'Something that happened in the book.' },
);

export const EventListQuery = Type.Object({
  type: Type.Optional(EventTypeWord),
  limit: PageLimit,
  cursor: Type.Optional(
    Type.String({ description: '`nextCursor` of the page before. Left out: from the beginning.' }),
  ),
});

export const EventPage = Type.Object({
  items: Type.Array(EventObject, { description: 'The events of this page, oldest first.' }),
  nextCursor: nullableText({
    description:
      'Store it, and send it to get later events; it stays the same while there are none. With `type`, a page may ' +
      'be short or empty although its cursor is a new one: more may follow. ' +
      'Null only before the first event of the book, or of the type.',
  }),
});

export const LatestEventPage = Type.Object({
  items: Type.Array(EventObject, { description: 'The events of this page, newest first.' }),
  nextCursor: nullableText({ description: 'For the next page; null on the last.' }),
});

export const EventId = Type.Object({ id: envelope.id });
