import type { JsonSchema } from '../json-schema.ts';
import { EXAMPLE_IDS } from './example-objects.ts';

const EXAMPLE_TIME = '2030-01-01T00:00:00Z';

/**
 * A value that the schema allows, with what it requires and no more; undefined: a part says too little to make one.
 * Texts come from the `examples` of the schema.
 */
export function makeExample(schema: JsonSchema): unknown {
  const { examples, enum: words, type, format, items } = schema;
  if (examples !== undefined) return examples[0];
  if (words !== undefined) return words[0];
  switch (typeof type === 'object' ? type.find((one) => one !== 'null') : type) {
    case 'object':
      return makeObject(schema);
    case 'array': {
      const item = makeExample(items ?? {});
      return item === undefined ? undefined : [item];
    }
    case 'boolean':
      return true;
    case 'string':
      if (format === 'uuid') return EXAMPLE_IDS.request;
      return format === 'date-time' ? EXAMPLE_TIME : undefined;
    default:
      return undefined;
  }
}

function makeObject({ properties = {}, required = [] }: JsonSchema): object | undefined {
  const members = required.map((name) => [name, makeExample(properties[name] ?? {})] as const);
  if (members.some(([, value]) => value === undefined)) return undefined;
  return Object.fromEntries(members);
}
