import { type JsonSchema, resolveSchema } from '../server/json-schema.ts';

const BY_FORMAT: Readonly<Record<string, string>> = {
  uuid: '01890a5d-ac96-774b-bcce-b302099a8057',
  'date-time': '2026-11-15T08:00:00.000Z',
};

type Named = Readonly<Record<string, JsonSchema>>;

/** A value that fits the schema: its own example where it has one. */
export function exampleValue(schema: JsonSchema, named: Named): unknown {
  const {
    examples,
    enum: words,
    format,
    anyOf,
    properties,
    items,
    ...rest
  } = resolveSchema(schema, named);
  if (examples?.[0] !== undefined) return examples[0];
  if (rest.default !== undefined) return rest.default;
  if (words !== undefined) return words[0];
  const type = typeof rest.type === 'object' ? rest.type : [rest.type];
  if (type.includes('null')) return null;
  if (anyOf?.[0] !== undefined) return exampleValue(anyOf[0], named);
  if (properties !== undefined) return exampleObject(properties, rest.required ?? [], named);
  if (items !== undefined) return [exampleValue(items, named)];
  if (type.includes('integer') || type.includes('number')) return rest.minimum ?? 1;
  if (type.includes('boolean')) return true;
  return BY_FORMAT[format ?? ''] ?? '…';
}

/** Only what is always there: an example should be short. */
function exampleObject(
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[],
  named: Named,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([name]) => required.includes(name))
      .map(([name, property]) => [name, exampleValue(property, named)]),
  );
}
