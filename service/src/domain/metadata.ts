import { checkPlainText } from './plain-text.ts';

/** Names that a merchant gives a transfer for its own programs. Never sent to operators. */
export type Metadata = Readonly<Record<string, string>>;

export const METADATA_KEYS_MAX = 20;
export const METADATA_KEY_PATTERN = '^[A-Za-z0-9_.-]{1,40}$';
/** In Unicode code points. */
export const METADATA_VALUE_LENGTH_MAX = 200;

const KEY = new RegExp(METADATA_KEY_PATTERN);

export function isMetadataKey(text: string): boolean {
  return KEY.test(text);
}

export function isMetadataValue(text: string): boolean {
  return checkPlainText(text, { codePointsMax: METADATA_VALUE_LENGTH_MAX }) === 'ok';
}

/** In one order of keys, so that a transfer looks the same whether it was just sent or read again. */
export function toMetadata(entries: Iterable<readonly [string, string]>): Metadata {
  return Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Whether both have the same keys and values, in any order. */
export function sameMetadata(a: Metadata | null, b: Metadata | null): boolean {
  if (a === null || b === null) return a === b;
  const entries = Object.entries(a);
  return (
    entries.length === Object.keys(b).length &&
    entries.every(([key, value]) => Object.hasOwn(b, key) && b[key] === value)
  );
}
