/**
 * What other people's texts must not bring into a terminal: control characters and escapes of both
 * sizes, marks that turn the reading direction around, separators of lines, lone surrogates.
 */
const HARMFUL = /[\p{Cc}\p{Cs}\u2028-\u202e\u2066-\u2069]/gu;

/** One line of text that can do nothing to a terminal; what it could have done is shown. */
export function harmless(text: string): string {
  return text
    .replace(/[\t\n\r ]+/g, ' ')
    .replace(HARMFUL, (character) => `\\u${codeOf(character)}`);
}

/** The same for every text in a document, however deep. */
export function harmlessDocument(value: unknown): unknown {
  if (typeof value === 'string') return harmless(value);
  if (Array.isArray(value)) return value.map(harmlessDocument);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, harmlessDocument(member)]),
  );
}

function codeOf(character: string): string {
  return character.charCodeAt(0).toString(16).padStart(4, '0');
}
