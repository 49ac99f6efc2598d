import { Type } from 'typebox';
import { ACT_KINDS } from '../../acts/act.ts';
import { PageCursor, PageLimit } from './page-schema.ts';
import { nullableText } from './plain-fields.ts';

const KindWord = Type.Unsafe<string>({
  type: 'string',
  enum: [...ACT_KINDS],
  description: 'What was done.',
});

function facts(description: string) {
  return Type.Unsafe<object | null>({
    type: ['object', 'null'],
    additionalProperties: true,
    description,
  });
}

const ActObject = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'Our id of the act.' }),
    at: Type.String({ format: 'date-time', description: 'When it was done.' }),
    actor: Type.Object(
      {
        kind: Type.Unsafe<string>({
          type: 'string',
          enum: ['person', 'key', 'system'],
          description: 'Who: a person, an API key, or the service itself.',
        }),
        id: nullableText({ format: 'uuid', description: 'Null: the staff, or the service.' }),
        name: Type.String({ description: 'The name of the person or key.' }),
      },
      { description: 'Who did it.' },
    ),
    kind: KindWord,
    subject: Type.String({ description: 'The id of what was changed.' }),
    bookId: nullableText({ format: 'uuid', description: 'Null: in no one book.' }),
    reason: nullableText({ description: 'Why, in the words of the person.' }),
    before: facts('What the subject was; null: it was not there, or nothing is shown.'),
    after: facts('What the subject is; null: it is gone, or nothing is shown.'),
  },
  { $id: 'Act', description: 'Something that a person or a key did.' },
);

export const ActivityQuery = Type.Object({
  actor: Type.Optional(
    Type.String({ format: 'uuid', description: 'Only of this person or API key.' }),
  ),
  kind: Type.Optional(KindWord),
  bookId: Type.Optional(Type.String({ format: 'uuid', description: 'Only in this book.' })),
  from: Type.Optional(
    Type.String({ format: 'date-time', description: 'Done at or after this time.' }),
  ),
  to: Type.Optional(Type.String({ format: 'date-time', description: 'Done before this time.' })),
  limit: PageLimit,
  cursor: PageCursor,
});

export const ActivityPage = Type.Object({
  items: Type.Array(ActObject, { description: 'The acts of this page, newest first.' }),
  nextCursor: nullableText({ description: 'For the next page; null on the last.' }),
});
