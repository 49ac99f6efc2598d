import { Type } from 'typebox';
import { SCREENING_DECISIONS } from '../../screening/read-decision.ts';
import {
  DEADLINE_DEFAULT_MS,
  DEADLINE_MAX_MS,
  DEADLINE_MIN_MS,
  SCREENER_NAME_LENGTH_MAX,
} from '../../screening/screener.ts';
import { nullableText, optionalOrNull } from './plain-fields.ts';
import { Named, text, time, timeOrNull } from './staff-fields.ts';

const Deadline = Type.Integer({
  minimum: DEADLINE_MIN_MS,
  maximum: DEADLINE_MAX_MS,
  description: `Milliseconds in which it must answer, the connection included. Left out: ${DEADLINE_DEFAULT_MS}.`,
  examples: [DEADLINE_DEFAULT_MS],
});
const Name = Type.String({
  minLength: 1,
  maxLength: SCREENER_NAME_LENGTH_MAX,
  pattern: '^[A-Za-z0-9_.-]+$',
  description: 'Rules of the policy ask for it by this name, exactly.',
  examples: ['payouts'],
});
const Url = Type.String({
  format: 'uri',
  maxLength: 2_000,
  description:
    'https, to a public host name, on port 443 or 8443, without user name, password or fragment.',
  examples: ['https://shop.example/screen'],
});

export const ScreenerBody = Type.Object(
  { name: Name, url: Url, deadlineMs: optionalOrNull(Deadline) },
  { additionalProperties: false },
);

const screenerFields = {
  id: Type.String({ format: 'uuid', description: 'Our id of the screener.' }),
  name: Name,
  url: Url,
  deadlineMs: Deadline,
  createdBy: { ...Named, description: 'Who added it, by the name at that time.' },
  createdAt: time('When it was added.'),
};

const ScreenerObject = Type.Object(screenerFields, {
  $id: 'Screener',
  description: 'A service that is asked about payouts before they leave, without its secret.',
});

export const ScreenerWithSecret = Type.Object({
  ...screenerFields,
  secret: Type.String({
    description:
      'Shown only here. Questions are signed with it, by the rules of Standard Webhooks.',
    examples: ['whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'],
  }),
});

export const ScreenerList = Type.Object({
  items: Type.Array(ScreenerObject, { description: 'All screeners, newest first.' }),
});

export const DeletedScreener = Type.Object({
  id: Type.String({ format: 'uuid', description: 'The screener that is gone.' }),
});

const DecisionWord = Type.Unsafe<string>({
  type: 'string',
  enum: [...SCREENING_DECISIONS],
  description: 'What the answer was taken for.',
});

const AttemptObject = Type.Object({
  at: time('When it was asked.'),
  elapsedMs: Type.Integer({ description: 'Milliseconds until it answered, or until the end.' }),
  status: Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    description: 'The HTTP status of the answer; null when there was none.',
  }),
  error: nullableText({ description: 'Why there was no answer; null when there was.' }),
  answer: nullableText({ description: 'The answer as it came.' }),
  decision: DecisionWord,
});

const ScreeningObject = Type.Object(
  {
    rule: text('The rule that asks.'),
    screener: text('The name of the screener that it asks.'),
    decision: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      enum: [...SCREENING_DECISIONS, null],
      description:
        'Allow lets the transfer go on, hold has it wait for one approval more, refuse cancels it. Null: not answered.',
    }),
    reason: nullableText({ description: 'What the screener said, or why it did not answer.' }),
    createdAt: time('When the screening began.'),
    decidedAt: timeOrNull('When the answer was recorded.'),
    attempts: Type.Array(AttemptObject, { description: 'What was sent and came back.' }),
  },
  { $id: 'Screening', description: 'One question to a screener about a transfer.' },
);

export const ScreeningList = Type.Object({
  transferId: Type.String({ format: 'uuid', description: 'The transfer.' }),
  items: Type.Array(ScreeningObject, { description: 'One for each rule that asks.' }),
});
