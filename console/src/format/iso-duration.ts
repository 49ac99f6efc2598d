import { plural } from '../texts/plural.ts';

/** Largest first. Years and months have no fixed length and are not used. */
export const DURATION_UNITS = [
  { unit: 'days', seconds: 86_400, one: 'day', other: 'days' },
  { unit: 'hours', seconds: 3_600, one: 'hour', other: 'hours' },
  { unit: 'minutes', seconds: 60, one: 'minute', other: 'minutes' },
  { unit: 'seconds', seconds: 1, one: 'second', other: 'seconds' },
] as const;

export type DurationUnit = (typeof DURATION_UNITS)[number]['unit'];

const PATTERN = /^P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/;
const WEEK_SECONDS = 7 * 86_400;

/** The seconds of an ISO 8601 duration; undefined for another text. */
export function secondsOf(text: string): number | undefined {
  const found = PATTERN.exec(text);
  if (found === null || /[PT]$/.test(text)) return undefined;
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = found
    .slice(1)
    .map((part) => Number(part ?? 0));
  return weeks * WEEK_SECONDS + days * 86_400 + hours * 3_600 + minutes * 60 + seconds;
}

/** The largest unit of which the duration is a whole number. A day is said as 24 hours: it is no date. */
export function splitDuration(
  text: string,
): Readonly<{ count: number; unit: DurationUnit }> | undefined {
  const seconds = secondsOf(text);
  if (seconds === undefined) return undefined;
  const units = seconds === 86_400 ? DURATION_UNITS.slice(1) : DURATION_UNITS;
  const found = units.find((one) => seconds % one.seconds === 0);
  return found === undefined ? undefined : { count: seconds / found.seconds, unit: found.unit };
}

export function makeDuration(count: number, unit: DurationUnit): string {
  switch (unit) {
    case 'days':
      return `P${count}D`;
    case 'hours':
      return `PT${count}H`;
    case 'minutes':
      return `PT${count}M`;
    case 'seconds':
      return `PT${count}S`;
    default: {
      const unhandled: never = unit;
      throw new Error(`unhandled unit ${String(unhandled)}`);
    }
  }
}

/** `PT24H` becomes "24 hours"; a text that is no duration stays as it is. */
export function sayDuration(text: string): string {
  const split = splitDuration(text);
  if (split === undefined) return text;
  const words = DURATION_UNITS.find(({ unit }) => unit === split.unit);
  return words === undefined ? text : plural(split.count, words);
}
