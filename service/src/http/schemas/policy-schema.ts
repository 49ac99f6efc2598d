import { type TSchema, Type } from 'typebox';
import { nullableInteger, nullableText, optionalOrNull } from './plain-fields.ts';

const time = (description: string) => Type.String({ format: 'date-time', description });
const count = (description: string) => Type.Integer({ description });

const Person = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'The id of the person.' }),
    name: Type.String({ description: 'The name of the person then.' }),
  },
  { description: 'The person.' },
);

const People = Type.Array(Person, {
  description: 'Who published it: one person, or the two of a live book.',
});

const ContentHash = Type.String({
  description: 'The SHA-256 of the document. It names this very document.',
});

/** Documents are kept as they were written. */
const Document = Type.Unsafe<object>({
  type: 'object',
  additionalProperties: true,
  description: 'The document, as it was written.',
});

const Sentences = Type.Array(
  Type.Object({
    rule: Type.String({ description: 'The name of the rule.' }),
    text: Type.String({ description: 'What it says, as one sentence.' }),
  }),
  { description: 'Each rule in words.' },
);

function orNull(schema: TSchema, description: string) {
  return Type.Unsafe<object | null>({ ...schema, type: ['object', 'null'], description });
}

const figures = {
  transfers: count('Transfers in the time.'),
  refused: count('Of these, how many it would have refused.'),
  approvals: count('How many it would have let wait for approval.'),
  warned: count('How many it would have warned about.'),
  screened: count('How many it would have asked a screener about.'),
  byRule: Type.Array(
    Type.Object({
      rule: Type.String({ description: 'The name of the rule.' }),
      matched: count('Transfers that it matches.'),
      refused: count('Of these, how many are refused, by it or another rule.'),
      sum: nullableText({
        description: 'The sum of their amounts; null: in more than one currency.',
      }),
      sums: Type.Array(
        Type.Object({
          currency: Type.String({ description: 'The currency.' }),
          sum: Type.String({ description: 'The sum of the amounts in it.' }),
        }),
        { description: 'The sum in each currency.' },
      ),
      samples: Type.Array(Type.String({ format: 'uuid' }), {
        description: 'The ids of some of them, at most 20, the oldest first.',
      }),
    }),
    { description: 'What each rule would have done.' },
  ),
  isExact: Type.Boolean({
    description: 'False: there were more numbers than are remembered, so some counts are too low.',
  }),
};

export const ReplayObject = Type.Object({
  from: time('The beginning of the time.'),
  to: time('Its end.'),
  at: time('When it was replayed.'),
  ...figures,
  inForce: orNull(
    Type.Object(figures),
    'The same for the policy in force; null: the book has none.',
  ),
});

export const DraftObject = Type.Object({
  document: Document,
  contentHash: ContentHash,
  rules: Sentences,
  changedBy: Person,
  changedAt: time('When it was changed last.'),
  replay: orNull(ReplayObject, 'The last replay of this very document; null: none yet.'),
  publishedBy: orNull(Person, 'Who published it first; another owner has to confirm it.'),
  problems: Type.Array(
    Type.Object({
      field: Type.String({ description: 'The path of what is wrong.' }),
      message: Type.String({ description: 'What is wrong, and what to do.' }),
    }),
    { description: 'What does not fit the book now: wallets, keys, screeners, people.' },
  ),
});

export const PolicyObject = Type.Object({
  version: nullableInteger('The version in force; null: the book has no policy.'),
  document: Type.Unsafe<object | null>({ ...Document, type: ['object', 'null'] }),
  contentHash: nullableText({ description: 'The SHA-256 of the document.' }),
  rules: Sentences,
  publishedAt: nullableText({ format: 'date-time', description: 'Since when it is in force.' }),
  publishedBy: People,
  draft: orNull(DraftObject, 'What will be the next version; null: there is none.'),
  history: Type.Array(
    Type.Object({
      version: count('The version.'),
      contentHash: ContentHash,
      publishedAt: time('Since when it was in force.'),
      by: People,
    }),
    { description: 'The versions, the newest first, at most 100.' },
  ),
});

export const PolicyVersionObject = Type.Object({
  version: count('The version.'),
  document: Document,
  contentHash: ContentHash,
  rules: Sentences,
  publishedAt: time('Since when it was in force.'),
  publishedBy: People,
});

export const ReplayDraftBody = Type.Object(
  {
    from: optionalOrNull(time('From when on. Left out: 30 days before `to`.')),
    to: optionalOrNull(time('Until when. Left out: now.')),
  },
  { additionalProperties: false },
);

export const DiscardedDraft = Type.Object({});

export const VersionParameter = Type.Object({
  version: Type.Integer({ minimum: 1, description: 'The version.', examples: [3] }),
});

export const DraftHeaders = Type.Object({
  'if-match': Type.Optional(
    Type.String({
      description: 'The contentHash of the draft that you read: another one is refused.',
    }),
  ),
});

export const NewDraftHeaders = Type.Object({
  ...DraftHeaders.properties,
  'if-none-match': Type.Optional(
    Type.String({ description: '`*`: you saw no draft, and one that is there now is refused.' }),
  ),
});
