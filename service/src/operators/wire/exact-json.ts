/** JSON whose numbers are kept as text, so that no amount is ever rounded. */
export type ExactJson =
  | null
  | boolean
  | string
  | readonly ExactJson[]
  | Readonly<{ [name: string]: ExactJson }>;

type ParseWithSource = (
  text: string,
  revive: (name: string, value: ExactJson | number, context: { source: string }) => ExactJson,
) => ExactJson;

// TypeScript's types do not know yet that a reviver receives the text of a number.
const parseWithSource = JSON.parse as ParseWithSource;

/** May match inside a string too; a text without a match has no unquoted number. */
const BARE_NUMBER = /(?:^|[:[,])\s*-?\d/;

/**
 * Reads an operator's answer. Operators differ in whether they quote numbers, so a number becomes its text: `150.00`
 * and `"150.00"` read alike. Undefined: not JSON.
 */
export function readExactJson(text: string): ExactJson | undefined {
  // An acknowledgement without a body; catching an error takes longer than parsing an answer.
  if (text === '') return undefined;
  try {
    // Ten times as fast, and most operators quote their amounts.
    if (!BARE_NUMBER.test(text)) return JSON.parse(text) as ExactJson;
    return parseWithSource(text, (_, value, { source }) =>
      typeof value === 'number' ? source : value,
    );
  } catch {
    return undefined;
  }
}

/** The value at a path of names; undefined if the path does not exist. */
export function at(json: ExactJson | undefined, ...path: readonly string[]): ExactJson | undefined {
  let value = json;
  for (const name of path) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    value = Object.hasOwn(value, name) ? (value as Record<string, ExactJson>)[name] : undefined;
  }
  return value;
}

/** The text at a path; undefined if there is none or something else. */
export function textAt(
  json: ExactJson | undefined,
  ...path: readonly string[]
): string | undefined {
  const value = at(json, ...path);
  return typeof value === 'string' ? value : undefined;
}
