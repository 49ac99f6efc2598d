import { type JsonSchema, resolveSchema } from '../json-schema.ts';

export type Field = Readonly<{
  /** With dots and brackets for what lies inside: `items[].failure.code`. */
  path: string;
  type: string;
  isRequired: boolean;
  rules: readonly string[];
  description: string;
}>;

const DEPTH_MAX = 6;
/** Longer lists have a section of their own, which the description names. */
const WORDS_SHOWN_MAX = 12;

/**
 * Every field of an object, inner ones after the one that holds them. What has a name of its own is
 * described once, elsewhere.
 */
export function listFields(
  schema: JsonSchema,
  named: Readonly<Record<string, JsonSchema>>,
  prefix = '',
  depth = 0,
): readonly Field[] {
  const { properties = {}, required = [], items } = schema;
  if (depth > DEPTH_MAX) return [];
  if (items !== undefined) return listFields(items, named, `${prefix}[]`, depth + 1);
  return Object.entries(properties).flatMap(([name, property]) => {
    const path = prefix === '' ? name : `${prefix}.${name}`;
    const resolved = resolveSchema(property, named);
    const field: Field = {
      path,
      type: typeName(property),
      isRequired: required.includes(name),
      rules: rulesOf(resolved),
      description: resolved.description ?? '',
    };
    return [field, ...listFields(property, named, path, depth + 1)];
  });
}

export function typeName({ $ref, type, format, items, anyOf }: JsonSchema): string {
  if ($ref !== undefined) return nameIn($ref);
  if (items !== undefined) return `list of ${typeName(items)}`;
  if (anyOf !== undefined) return anyOf.map(typeName).join(' or ');
  const types = typeof type === 'object' ? type.join(' or ') : (type ?? 'any');
  return format === undefined ? types : `${types}, ${format}`;
}

/** The last part of a reference, which is the name of what it refers to. */
export function nameIn(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}

export function rulesOf(schema: JsonSchema): readonly string[] {
  const { minimum, maximum, minLength, maxLength, pattern } = schema;
  const words = schema.enum ?? schema.items?.enum;
  const rules: string[] = [];
  if (words !== undefined && words.length > 1 && words.length <= WORDS_SHOWN_MAX)
    rules.push(`One of ${words.map(quoted).join(', ')}`);
  rules.push(...rangeOf(minimum, maximum, ''), ...rangeOf(minLength, maxLength, ' characters'));
  if (pattern !== undefined) rules.push(`Matches \`${pattern}\``);
  if (schema.default !== undefined) rules.push(`When left out, ${quoted(schema.default)}`);
  return rules;
}

function rangeOf(min: number | undefined, max: number | undefined, unit: string): string[] {
  const [from, to] = [min, max].map((bound) => bound?.toLocaleString('en'));
  if (from !== undefined && to !== undefined) return [`From ${from} to ${to}${unit}`];
  if (from === '1' && unit !== '') return ['Not empty'];
  if (from !== undefined) return [`At least ${from}${unit}`];
  return to === undefined ? [] : [`At most ${to}${unit}`];
}

function quoted(value: unknown): string {
  return `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;
}
