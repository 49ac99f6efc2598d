import { Type } from 'typebox';
import { EVENT_TYPES } from '../../events/event-types.ts';
import { DELIVERY_STATES } from '../../webhooks/delivery.ts';
import { PageCursor, PageLimit } from './page-schema.ts';
import { nullableText, optionalOrNull } from './plain-fields.ts';

export const EventTypeWord = Type.Unsafe<string>({
  type: 'string',
  enum: [...EVENT_TYPES],
  description: 'What happened: see the events.',
});

const Url = Type.String({
  format: 'uri',
  maxLength: 2_000,
  description:
    'https, to a public host name, on port 443 or 8443, without user name, password or fragment.',
  examples: ['https://shop.example/webhooks/kafue'],
});
const EventFilter = Type.Array(EventTypeWord, {
  uniqueItems: true,
  description: 'The types to receive. Empty: every type, also types that are added later.',
});
const StatusWord = Type.Unsafe<string>({
  type: 'string',
  enum: ['enabled', 'disabled'],
  description:
    'Nothing is sent to a disabled webhook, and what happens meanwhile is not kept for it.',
});

export const WebhookBody = Type.Object(
  { url: Url, events: optionalOrNull(EventFilter) },
  { additionalProperties: false },
);

export const WebhookChangeBody = Type.Object(
  {
    url: optionalOrNull(Url),
    events: optionalOrNull(EventFilter),
    status: optionalOrNull(StatusWord),
  },
  { additionalProperties: false },
);

const webhookFields = {
  id: Type.String({ format: 'uuid', description: 'Our id of the webhook.' }),
  url: Type.String({ format: 'uri', description: 'Where its events are sent.' }),
  events: EventFilter,
  status: StatusWord,
  disabledReason: nullableText({ description: 'Why it is disabled; null while it is not.' }),
  createdAt: Type.String({ format: 'date-time', description: 'When it was created.' }),
};
const Secret = Type.String({
  description: 'Shown only here. Deliveries are signed with it, by the rules of Standard Webhooks.',
  examples: ['whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'],
});

export const WebhookObject = Type.Object(webhookFields, {
  $id: 'Webhook',
  description: 'An address of yours where events are sent.',
});

export const WebhookWithSecret = Type.Object({ ...webhookFields, secret: Secret });

export const WebhookWithNewSecret = Type.Object({
  ...webhookFields,
  secret: Secret,
  previousSecretUntil: Type.String({
    format: 'date-time',
    description: 'Until then deliveries carry a signature by the previous secret too.',
  }),
});

export const WebhookPage = Type.Object({
  items: Type.Array(WebhookObject, { description: 'All webhooks of the book, newest first.' }),
  nextCursor: nullableText({ description: 'Always null: a book has at most 10.' }),
});

export const DeletedWebhook = Type.Object({
  id: Type.String({ format: 'uuid', description: 'The webhook that is gone.' }),
});

const StateWord = Type.Unsafe<string>({
  type: 'string',
  enum: [...DELIVERY_STATES],
  description: 'Pending: the next attempt is at `nextAttemptAt`. Failed: no more are made.',
});

const AttemptObject = Type.Object({
  at: Type.String({ format: 'date-time', description: 'When it was sent.' }),
  elapsedMs: Type.Integer({
    description: 'Milliseconds until your server answered, or until the end.',
  }),
  status: Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    description: 'What your server answered; null when it did not.',
  }),
  error: nullableText({ description: 'Why there was no answer; null when there was.' }),
  answer: nullableText({ description: 'The first 1 KiB of the answer.' }),
});

export const DeliveryObject = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'Our id of the delivery.' }),
    endpointId: Type.String({ format: 'uuid', description: 'The id of the webhook.' }),
    eventId: Type.String({ description: 'The `webhook-id` of every attempt.' }),
    eventType: EventTypeWord,
    state: StateWord,
    attempts: Type.Array(AttemptObject, { description: 'Oldest first; the latest 50.' }),
    nextAttemptAt: nullableText({
      format: 'date-time',
      description: 'Null when none will be made.',
    }),
    createdAt: Type.String({ format: 'date-time', description: 'When the event happened.' }),
  },
  { $id: 'Delivery', description: 'One event for one webhook, with every attempt to send it.' },
);

export const DeliveryListQuery = Type.Object({
  state: Type.Optional(StateWord),
  from: Type.Optional(
    Type.String({ format: 'date-time', description: 'Created at or after this time.' }),
  ),
  to: Type.Optional(Type.String({ format: 'date-time', description: 'Created before this time.' })),
  limit: PageLimit,
  cursor: PageCursor,
});

export const DeliveryPage = Type.Object({
  items: Type.Array(DeliveryObject, { description: 'The deliveries of this page, newest first.' }),
  nextCursor: nullableText({ description: 'For the next page; null on the last.' }),
});

export const ReplayBody = Type.Object(
  {
    from: optionalOrNull(
      Type.String({
        format: 'date-time',
        description: 'Deliveries created at or after this time.',
      }),
    ),
    to: optionalOrNull(
      Type.String({ format: 'date-time', description: 'Deliveries created before this time.' }),
    ),
    state: optionalOrNull(
      Type.Unsafe<string>({
        type: 'string',
        enum: ['failed'],
        description: 'Only failed deliveries. Left out: delivered ones too.',
      }),
    ),
  },
  { additionalProperties: false },
);

export const ReplayResult = Type.Object({
  replayed: Type.Integer({
    description: 'How many deliveries are sent once more: at most 10,000.',
  }),
  nextFrom: nullableText({
    format: 'date-time',
    description: 'There were more: give this as `from` in the next call. Null when that was all.',
  }),
});
