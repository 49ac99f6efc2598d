import { type TSchema, Type } from 'typebox';
import { nullableText, words } from './plain-fields.ts';

/** Short forms for the schemas of the staff's operations. */
export const text = (description: string) => Type.String({ description });
/** Names of routes, people and subjects are short. */
export const SHORT_TEXT_LENGTH_MAX = 320;
export const shortText = (description: string) =>
  Type.String({ minLength: 1, maxLength: SHORT_TEXT_LENGTH_MAX, description });
export const orNull = (description: string) => nullableText({ description });
export const count = (description: string) => Type.Integer({ description });
export const flag = (description: string) => Type.Boolean({ description });
export const time = (description: string) => Type.String({ format: 'date-time', description });
export const timeOrNull = (description: string) =>
  nullableText({ format: 'date-time', description });
export const countOrNull = (description: string) =>
  Type.Unsafe<number | null>({ type: ['integer', 'null'], description });
export const numberOrNull = (description: string) =>
  Type.Unsafe<number | null>({ type: ['number', 'null'], description });

/** Members that differ from entry to entry. */
export const facts = (description: string) =>
  Type.Unsafe<object>({ type: 'object', additionalProperties: true, description });
export const factsOrNull = (description: string) =>
  Type.Unsafe<object | null>({ type: ['object', 'null'], additionalProperties: true, description });

export const list = (item: TSchema, description: string) => Type.Array(item, { description });

/** Of lists over all books. Past one cell a list may be without a part. */
export const UnansweredCells = list(
  text('The name of a cell.'),
  'Cells that did not answer: what they have is not in the answer. Normally empty.',
);

/** An object or null as one type list. */
export function objectOrNull(properties: Readonly<Record<string, TSchema>>, description: string) {
  return Type.Unsafe<object | null>({
    type: ['object', 'null'],
    properties,
    required: Object.keys(properties),
    description,
  });
}

export const Named = Type.Object(
  { id: text('Its id.'), name: text('Its name.') },
  { description: 'The id and the name.' },
);
export const NamedOrNull = (description: string) =>
  objectOrNull({ id: text('Its id.'), name: text('Its name.') }, description);

export const Actor = Type.Object(
  {
    kind: words(['person', 'key', 'machine', 'system'], 'What acted.'),
    id: orNull('The id of the person or the key; null for a machine or the service.'),
    name: text('Its name at that time.'),
  },
  { description: 'Who acted.' },
);

export const pathParameter = (name: string, description: string) =>
  Type.Object({ [name]: text(description) });
