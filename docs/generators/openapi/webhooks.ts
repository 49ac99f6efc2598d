import { EVENT_TYPES, type EventType } from '../../../service/src/events/event-types.ts';
import { eventSchema } from '../../../service/src/http/schemas/event-schema.ts';
import {
  nextAttemptInMs,
  SCHEDULE_ATTEMPTS_MAX,
} from '../../../service/src/webhooks/delivery-schedule.ts';
import { collectNamed, type JsonSchema, toPlainSchema } from '../json-schema.ts';
import { EVENT_EXAMPLES } from './examples.ts';
import {
  jsonContent,
  type OpenApiDocument,
  type OpenApiParameter,
  type OpenApiWebhook,
} from './openapi-document.ts';

/** What has happened when an event of the type is sent. */
const EVENT_MEANINGS: Readonly<Record<EventType, string>> = {
  'transfer.created': 'A transfer was stored, and its funds are held.',
  'transfer.awaiting_approval':
    'The transfer waits for people to approve it, or for a screener. Its funds are held.',
  'transfer.approved': 'Enough people approved the transfer: it is queued or scheduled.',
  'transfer.approval_impossible':
    'The people who are left cannot give the approvals that the transfer waits for.',
  'transfer.submitted': 'The operator has the transfer and has not decided yet.',
  'transfer.in_doubt': 'It is not known yet whether the money moved. Wait: do not pay again.',
  'transfer.successful': 'The recipient was paid.',
  'transfer.failed': 'The transfer failed: no money moved, and the hold is released.',
  'transfer.cancelled': 'The transfer was cancelled before it reached an operator.',
  'transfer.reversed': 'The operator returned the money after the transfer had succeeded.',
  'recipient.created': 'A recipient was stored.',
  'recipient.resolved': 'The operator has given the name of a recipient that was pending.',
  'wallet.low_balance': 'What is available in a wallet fell below its threshold.',
  'payout_file.not_submitted':
    'The payout file of a schedule could not be submitted and stays a draft. Correct it and submit it.',
  'payout_file.awaiting_approval': 'A payout file waits for people to approve it.',
  'payout_file.approval_impossible':
    'A payout file waits for approvals that the people who are left cannot give. Give a person the role, or cancel it.',
  'payout_file.scheduled': 'A payout file waits for its time.',
  'payout_file.paying': 'The rows of a payout file are being paid.',
  'payout_file.done':
    'Every row of a payout file was paid, failed, was refused or is in doubt. Its results say which.',
  'payout_file.cancelled': 'A payout file was cancelled, rejected or not approved in time.',
  'webhook.disabled': 'A webhook was disabled: nothing is sent to it any more.',
  'webhook.test': 'You asked for a test event. Its transfer is made up: it paid no one.',
};

/** Of every delivery. */
export const DELIVERY_HEADERS: readonly OpenApiParameter[] = [
  {
    name: 'webhook-id',
    in: 'header',
    required: true,
    description: 'The id of the event, the same on every attempt. Handle each id once.',
    schema: { type: 'string' },
  },
  {
    name: 'webhook-timestamp',
    in: 'header',
    required: true,
    description: 'When this attempt was signed, in seconds since 1970.',
    schema: { type: 'integer' },
  },
  {
    name: 'webhook-signature',
    in: 'header',
    required: true,
    description:
      'By Standard Webhooks: `v1,` and the base64 of an HMAC-SHA256 over `id.timestamp.body`. ' +
      'Two of them, with a space between, while a secret is being rotated.',
    schema: { type: 'string' },
  },
];

/** What is POSTed to the merchant, by the type of the event. */
export function describeWebhooks(schemas: Map<string, JsonSchema>): OpenApiDocument['webhooks'] {
  return Object.fromEntries(
    EVENT_TYPES.map((type) => [type, { post: describeWebhook(type, schemas) }]),
  );
}

function describeWebhook(type: EventType, schemas: Map<string, JsonSchema>): OpenApiWebhook {
  const schema = collectNamed(toPlainSchema(eventSchema(type)), schemas);
  return {
    operationId: `receive-${type}`,
    summary: EVENT_MEANINGS[type],
    description: DELIVERY,
    tags: ['Webhooks'],
    security: [],
    parameters: DELIVERY_HEADERS.map(({ name }) => ({ $ref: `#/components/parameters/${name}` })),
    requestBody: { required: true, content: jsonContent(schema, EVENT_EXAMPLES[type]) },
    responses: {
      '2XX': { description: 'You have it. Answer within 15 seconds.' },
      '410': { description: 'You want no more: the webhook is disabled.' },
      default: { description: SENT_AGAIN },
    },
  };
}

const DAY_MS = 24 * 60 * 60 * 1_000;

/** How long a whole schedule takes, without what is added and subtracted by chance. */
function scheduleDays(): number {
  const waits = Array.from({ length: SCHEDULE_ATTEMPTS_MAX }, (_, index) => {
    const failed = { attempts: index + 1, retryAfterSeconds: undefined };
    return nextAttemptInMs(failed, { timeScale: 1, random: () => 0.5 }) ?? 0;
  });
  return waits.reduce((sum, waitMs) => sum + waitMs, 0) / DAY_MS;
}

const SENT_AGAIN =
  'Sent again, with the same id and the same bytes: ' +
  `${SCHEDULE_ATTEMPTS_MAX} attempts in all, over about ${Math.round(scheduleDays())} days.`;

const DELIVERY =
  'Sent at least once, in any order: `sequence` counts the events of one subject. Check the signature ' +
  'over the bytes as they came, before parsing them.';
