import { Type } from 'typebox';
import { APPROVAL_DECISIONS, REASON_LENGTH_MAX, SUBJECT_KINDS } from '../../approvals/approval.ts';
import { APPROVAL_VIEWS } from '../../approvals/list-approvals.ts';
import { PageCursor, PageLimit } from './page-schema.ts';
import { nullableInteger, nullableText, words } from './plain-fields.ts';

/** Longer than any hash: such a text is a mistake and no hash of something else. */
export const HASH_LENGTH_MAX = 100;
/** How many subjects one call decides about. */
export const DECISIONS_AT_ONCE_MAX = 100;

const KindWord = words(SUBJECT_KINDS, 'One transfer, or a payout file as a whole.');
const DecisionWord = words(APPROVAL_DECISIONS, 'What was decided.');
const Hash = Type.String({
  maxLength: HASH_LENGTH_MAX,
  description:
    'The `contentHash` of what you were shown. If it is another now, nothing is decided.',
  examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
});
const Reason = Type.Optional(
  nullableText({
    maxLength: REASON_LENGTH_MAX,
    description: 'Why. The people who prepared it read this.',
    examples: ['Not this month.'],
  }),
);

export const DecisionBody = Type.Object(
  { contentHash: Hash, reason: Reason },
  { additionalProperties: false },
);

export const DecisionsBody = Type.Object(
  {
    decisions: Type.Array(
      Type.Object(
        {
          kind: KindWord,
          id: Type.String({ format: 'uuid', description: 'Its id.' }),
          contentHash: Hash,
          decision: words(APPROVAL_DECISIONS, 'What you decide.'),
          reason: Reason,
        },
        { additionalProperties: false },
      ),
      {
        minItems: 1,
        maxItems: DECISIONS_AT_ONCE_MAX,
        description: 'Decided one after the other, each alone.',
      },
    ),
  },
  { additionalProperties: false },
);

export const DecisionResults = Type.Object({
  results: Type.Array(
    Type.Object({
      id: Type.String({ description: 'As you sent it.' }),
      ok: Type.Boolean({ description: 'Whether the decision was recorded.' }),
      code: Type.Optional(
        Type.String({ description: 'Why it was not, as the single call would have said.' }),
      ),
      message: Type.Optional(Type.String({ description: 'The same in a sentence.' })),
    }),
    { description: 'One for each decision, in the same order.' },
  ),
});

const Person = {
  id: Type.String({ format: 'uuid', description: 'The id of the person.' }),
  name: Type.String({ description: 'The name of the person.' }),
};

const nullableObject = (description: string) =>
  Type.Unsafe<object | null>({
    type: ['object', 'null'],
    additionalProperties: true,
    description,
  });

const ApprovalItem = Type.Object({
  kind: KindWord,
  id: Type.String({ format: 'uuid', description: 'The id of the transfer or the file.' }),
  contentHash: Type.String({ description: 'What your decision is bound to: SHA-256 in hex.' }),
  transfer: nullableObject('The transfer; null for a payout file.'),
  file: nullableObject(
    'The payout file; null for a transfer. While it waits, `rowsLeft` and `amountLeft` say what is neither paid nor refused of it.',
  ),
  requirements: Type.Array(
    Type.Object({
      rule: Type.String({ description: 'The rule that asks.' }),
      count: Type.Integer({ description: 'How many people.' }),
      of: Type.Array(Type.String(), { description: 'The roles of which each must have one.' }),
    }),
    { description: 'What is asked for; requirements add up, and a person counts for one.' },
  ),
  needed: Type.Integer({ description: 'How many people must approve it, in all.' }),
  given: Type.Integer({ description: 'How many approvals count now.' }),
  decisions: Type.Array(
    Type.Object({
      person: Type.Object(Person, { description: 'Who decided.' }),
      decision: DecisionWord,
      role: Type.String({ description: 'The role by which it counts.' }),
      reason: nullableText({ description: 'Why, in the words of the person.' }),
      at: Type.String({ format: 'date-time', description: 'When.' }),
    }),
    { description: 'What people decided since it waits, oldest first.' },
  ),
  canApprove: Type.Array(
    Type.Object({
      ...Person,
      roles: Type.Array(Type.String(), { description: 'The roles by which they may approve.' }),
    }),
    { description: 'Who can still give an approval that is wanted.' },
  ),
  iCan: Type.Boolean({ description: 'Whether you are one of them.' }),
  iCanReject: Type.Boolean({
    description:
      'Whether you can reject it, also where you cannot approve it: an owner may stop every payout.',
  }),
  whyNot: nullableText({ description: 'Why you are not; null: you are, or it waits no more.' }),
  impossible: Type.Boolean({
    description: 'The people who are left cannot give the approvals that it waits for.',
  }),
  policyVersion: nullableInteger('The version of the policy that asked; null: none did.'),
  maker: Type.Unsafe<object | null>({
    type: ['object', 'null'],
    properties: {
      kind: { type: 'string', enum: ['person', 'key', 'system'], description: 'What made it.' },
      id: { type: ['string', 'null'], description: 'The id of the person or the key.' },
      name: { type: 'string', description: 'The name of the person or the key.' },
    },
    required: ['kind', 'id', 'name'],
    description: 'Who made it; null: not known.',
  }),
  createdAt: Type.String({ format: 'date-time', description: 'When it was made.' }),
  expiresAt: nullableText({
    format: 'date-time',
    description: 'When it is cancelled unless it is decided by then; null: it waits no more.',
  }),
});

export const ApprovalPage = Type.Object({
  items: Type.Array(ApprovalItem, { description: 'What is on this page.' }),
  nextCursor: nullableText({
    description:
      'For the next page; null on the last. A page may be short or empty and have one: only so much of what waits is looked through for a page.',
  }),
});

export const ApprovalListQuery = Type.Object({
  view: Type.Optional(
    words(
      APPROVAL_VIEWS,
      '`mine`: what you can approve. `others`: what waits for other people. `all`: all that waits (default). `decided`: what people decided about and waits no more.',
    ),
  ),
  limit: PageLimit,
  cursor: PageCursor,
});
