import { type TSchema, Type } from 'typebox';
import { COUNTRIES, OPERATORS } from '../../domain/operator.ts';
import {
  APPROVALS_MAX,
  APPROVING_ROLES,
  COUNT_ABOVE_MAX,
  COUNTED_BY,
  LIST_LENGTH_MAX,
  NAME_WORDS,
  RULE_NAME_LENGTH_MAX,
  RULES_MAX,
} from '../../domain/policy/policy.ts';
import { WEEKDAYS } from '../../domain/recurrence.ts';
import { SOURCES } from '../../domain/source.ts';

const DURATION = '^P(\\d+W|(\\d+D)?(T(?=\\d)(\\d+H)?(\\d+M)?(\\d+S)?)?)$';

function duration(description: string, example: string) {
  return Type.String({ pattern: DURATION, description, examples: [example] });
}

function amount(description: string, example: string) {
  return Type.String({ pattern: '^\\d+(\\.\\d{1,2})?$', description, examples: [example] });
}

function listOf(items: TSchema, description: string) {
  return Type.Array(items, {
    minItems: 1,
    maxItems: LIST_LENGTH_MAX,
    uniqueItems: true,
    description,
  });
}

function words(values: readonly string[], description: string) {
  return listOf(Type.Unsafe<string>({ type: 'string', enum: [...values] }), description);
}

function strict(fields: Record<string, TSchema>, description: string) {
  return Type.Object(fields, { additionalProperties: false, description });
}

/** What a sum and a count have in common. */
const windowFields = {
  by: Type.Unsafe<string>({
    type: 'string',
    enum: [...COUNTED_BY],
    description: 'Whose payouts: of the wallet, key, person, number or operator of this one.',
  }),
  day: Type.Optional(
    Type.Literal(true, {
      description:
        'On the business day of the country on which each was accepted, also if it is sent later. Or give `window`.',
    }),
  ),
  window: Type.Optional(duration('Accepted within this time. Or give `day`.', 'PT1H')),
};

const Hours = strict(
  {
    zone: Type.String({ description: 'A time zone.', examples: ['Africa/Lusaka'] }),
    days: Type.Optional(words(WEEKDAYS, 'The days on which the hours begin. Left out: every day.')),
    from: Type.String({ description: 'The first minute.', examples: ['18:00'] }),
    to: Type.String({
      description: 'The end. Earlier than `from`: on the next day. Up to 24:00.',
      examples: ['06:00'],
    }),
  },
  'The time of day and the day of the week. It holds if a payout is accepted within them or is to be sent within them (`sendAt`, `payAt`).',
);

const When = strict(
  {
    amountAtLeast: Type.Optional(amount('The amount is this or more, without the fee.', '5000.00')),
    amountBelow: Type.Optional(amount('The amount is less than this.', '20000.00')),
    sum: Type.Optional(
      strict(
        { ...windowFields, above: amount('Their sum would be more than this.', '100000.00') },
        'Payouts in the same currency, this one included. All accepted payouts count, also if they failed later.',
      ),
    ),
    count: Type.Optional(
      strict(
        {
          ...windowFields,
          above: Type.Integer({
            minimum: 0,
            maximum: COUNT_ABOVE_MAX,
            description: 'There would be more than this.',
          }),
        },
        'How many payouts there are in the same currency, this one included.',
      ),
    ),
    firstPayment: Type.Optional(
      Type.Boolean({ description: 'Whether the book has never paid this number before.' }),
    ),
    nameMatch: Type.Optional(
      words(
        NAME_WORDS,
        'How the name that was given and the one at the operator compare; `unknown`: one of them is not known.',
      ),
    ),
    similarWithin: Type.Optional(
      duration('The same number got the same amount within this time.', 'PT24H'),
    ),
    source: Type.Optional(words(SOURCES, 'How the payout was ordered.')),
    hours: Type.Optional(Hours),
    operator: Type.Optional(words(OPERATORS, 'The operator.')),
    country: Type.Optional(words(COUNTRIES, 'The country.')),
    wallet: Type.Optional(listOf(Type.String({ format: 'uuid' }), 'The wallet, by its id.')),
    key: Type.Optional(listOf(Type.String({ format: 'uuid' }), 'The API key, by its id.')),
    metadata: Type.Optional(
      Type.Unsafe<object>({
        type: 'object',
        additionalProperties: true,
        description: 'The value of each key is this text, or one of these texts.',
        examples: [{ team: ['payroll', 'refunds'] }],
      }),
    ),
    onAllowList: Type.Optional(
      Type.Boolean({ description: 'Whether the number is on the allow list.' }),
    ),
  },
  'All of these must hold. Empty: every payout matches.',
);

const Require = strict(
  {
    refuse: Type.Optional(Type.Literal(true, { description: 'The payout is refused.' })),
    approvals: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: APPROVALS_MAX,
        description: 'This many people must approve it. Its maker does not count.',
      }),
    ),
    of: Type.Optional(
      words(APPROVING_ROLES, 'Each of them has one of these roles. An owner is no approver.'),
    ),
    warn: Type.Optional(Type.Literal(true, { description: 'The preflight and screens warn.' })),
    screen: Type.Optional(
      Type.String({ description: 'The screener of this name is asked.', examples: ['payouts'] }),
    ),
  },
  'What the rule asks for. A refusal stands alone; the others may stand together.',
);

const Rule = strict(
  {
    name: Type.String({
      minLength: 1,
      maxLength: RULE_NAME_LENGTH_MAX,
      description: 'Its name, once in a policy. Payouts show the names of the rules that matched.',
      examples: ['big'],
    }),
    when: When,
    require: Require,
  },
  'Conditions and what they require.',
);

export const PolicyBody = Type.Object(
  {
    sendLateWithin: Type.Optional(
      duration(
        'A scheduled payout that is later than this waits for a person. Left out: 24 hours.',
        'PT24H',
      ),
    ),
    approvalExpiresAfter: Type.Optional(
      duration('A payout that waits longer than this for a decision is cancelled.', 'P7D'),
    ),
    rules: Type.Array(Rule, {
      maxItems: RULES_MAX,
      description:
        'Their order does not matter: the requirements of all matching rules add up, and a refusal wins.',
      examples: [
        [
          {
            name: 'big',
            when: { amountAtLeast: '5000.00' },
            require: { approvals: 1, of: ['approver', 'owner'] },
          },
        ],
      ],
    }),
  },
  { additionalProperties: false },
);
