import { Type } from 'typebox';
import { nullableText, words } from './plain-fields.ts';
import { TransferObject } from './transfer-schema.ts';

const text = (description: string) => Type.Optional(nullableText({ description }));
const integer = (description: string) =>
  Type.Optional(Type.Unsafe<number | null>({ type: ['integer', 'null'], description }));

const Facts = Type.Object(
  {
    from: text('Of a state: the one before. Of a posting: the account it left.'),
    to: text('Of a posting: the account it went to.'),
    state: text('Of a state: the new one.'),
    event: text('The type of the event.'),
    operation: text('Of an attempt: submit, resubmit, inquire, recall or callback.'),
    outcome: text('Of an attempt: what the answer was taken to mean.'),
    httpStatus: integer('The HTTP status of the answer; null: none came.'),
    code: text("Of an attempt: the operator's own code."),
    meaning: text("Of an attempt: the operator's own words."),
    elapsedMs: integer('How long the answer took.'),
    claims: text('Of a callback: what it says.'),
    verified: Type.Optional(Type.Boolean({ description: 'Of a callback: its signature held.' })),
    posting: text('Of a posting: its kind.'),
    amount: text('Of a posting, as a decimal string.'),
    currency: text('Of a posting.'),
    sequence: integer('Of a posting: its number in the statement of the wallet.'),
    deliveryId: text('Of a webhook: replay it by this id.'),
    endpointId: text('Of a webhook.'),
    url: text('Of a webhook: where it goes.'),
    deliveryState: text('Of a webhook: pending, delivered or failed.'),
    attempts: integer('Of a webhook: how often it was sent.'),
    nextAttemptAt: text('Of a webhook: when it is sent again.'),
  },
  { description: 'What belongs to this kind of entry.' },
);

export const TransferTimeline = Type.Object({
  why: Type.Object(
    {
      line: Type.String({ description: 'Why it waits, or why it ended as it did.' }),
      next: nullableText({ format: 'date-time', description: 'When something happens by itself.' }),
      action: nullableText({ description: 'What you can do; null: nothing.' }),
    },
    { description: 'The transfer in one line.' },
  ),
  entries: Type.Array(
    Type.Object({
      at: Type.String({ format: 'date-time', description: 'When it happened.' }),
      kind: words(
        ['created', 'state', 'attempt', 'callback', 'posting', 'webhook', 'person', 'incident'],
        'What it is.',
      ),
      title: Type.String({ description: 'In a few words.' }),
      detail: nullableText({ description: 'In a sentence.' }),
      actor: Type.Unsafe<object | null>({
        type: ['object', 'null'],
        description: 'Who did it; null: not a thing that is done by anyone.',
        properties: {
          kind: {
            type: 'string',
            enum: ['person', 'key', 'staff', 'system'],
            description: 'What it is.',
          },
          id: { type: ['string', 'null'], description: 'Of a person or key of yours.' },
          name: { type: 'string', description: 'The name.' },
        },
        required: ['kind', 'id', 'name'],
      }),
      facts: Facts,
    }),
    { description: 'Everything that happened, oldest first.' },
  ),
  earlier: Type.Array(TransferObject, {
    description: 'Up to 5 transfers to the same number before this one, newest first.',
  }),
});
