export const REFERENCE_LENGTH_MAX = 100;
export const IDEMPOTENCY_KEY_LENGTH_MAX = 255;

const REFERENCE_PATTERN = /^[a-zA-Z0-9._-]+$/;
const PRINTABLE_ASCII = /^[\x20-\x7e]+$/;

/** A merchant's reference, unchanged: it is case-sensitive, so nothing is normalised. */
export function parseReference(text: string): string | undefined {
  if (text.length > REFERENCE_LENGTH_MAX) return undefined;
  return REFERENCE_PATTERN.test(text) ? text : undefined;
}

/**
 * A key of 1 to 255 printable ASCII characters. Spaces inside are valid. Spaces at either end are refused: HTTP drops
 * them from header values on the way, so two keys that differ only there could not be distinguished.
 */
export function parseIdempotencyKey(text: string): string | undefined {
  if (text.length > IDEMPOTENCY_KEY_LENGTH_MAX) return undefined;
  if (text.startsWith(' ') || text.endsWith(' ')) return undefined;
  return PRINTABLE_ASCII.test(text) ? text : undefined;
}
