import { parseDecimal } from '../money.ts';
import { parseDuration } from './duration.ts';
import { LIST_LENGTH_MAX, WINDOW_MAX_SECONDS } from './policy.ts';

/** Readers of single values of a document: each returns undefined for what it does not take. */

export const AMOUNT_HELP = 'Must be decimal text, such as "5000.00": from 0.01 to 1000000000.00.';
export const DURATION_HELP =
  'Must be an ISO 8601 duration in whole seconds, such as "PT24H" or "P7D": from PT1S to P90D, without months or years.';

export function readAmount(value: unknown): bigint | undefined {
  return typeof value === 'string' ? parseDecimal(value) : undefined;
}

export function readSeconds(value: unknown): number | undefined {
  const seconds = typeof value === 'string' ? parseDuration(value) : undefined;
  if (seconds === undefined || seconds < 1 || seconds > WINDOW_MAX_SECONDS) return undefined;
  return seconds;
}

export function readBoolean(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}

export function readTrue(value: unknown): true | undefined {
  return value === true ? true : undefined;
}

export function readInteger(min: number, max: number): (value: unknown) => number | undefined {
  return (value) =>
    typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max
      ? value
      : undefined;
}

/** A list of at least one of the words, each once. */
export function readWords<Word extends string>(
  words: readonly Word[],
): (value: unknown) => readonly Word[] | undefined {
  return readList((item) => words.find((word) => word === item));
}

export function readList<Item>(
  parse: (item: unknown) => Item | undefined,
): (value: unknown) => readonly Item[] | undefined {
  return (value) => {
    if (!Array.isArray(value) || value.length === 0 || value.length > LIST_LENGTH_MAX) {
      return undefined;
    }
    const items = value.map(parse).filter((item) => item !== undefined);
    const isWhole = items.length === value.length && new Set(items).size === items.length;
    return isWhole ? items : undefined;
  };
}
