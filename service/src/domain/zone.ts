import { COUNTRY_ZONES } from './business-day.ts';
import type { Country } from './operator.ts';

const DAY_MS = 24 * 60 * 60_000;

/** A day of the calendar, in no zone: `2026-11-30`. */
export type Day = string;

/** The zone by which people of a country read a clock. */
export function zoneOf(country: Country): string {
  return COUNTRY_ZONES[country].zone;
}

/** The day that people in the zone have at this instant. */
export function dayIn(zone: string, at: Date): Day {
  return new Date(at.getTime() + aheadMs(zone, at.getTime())).toISOString().slice(0, 10);
}

/** The instant at which clocks in the zone show this time (`08:30`) on this day. */
export function instantIn(zone: string, day: Day, time: string): Date {
  const asUtc = Date.parse(`${day}T${time}:00Z`);
  const guess = asUtc - aheadMs(zone, asUtc);
  // Looked at once more, because the zone may have changed its clocks between the two.
  return new Date(asUtc - aheadMs(zone, guess));
}

/** The day this many days later; negative: earlier. */
export function addDays(day: Day, count: number): Day {
  return new Date(Date.parse(`${day}T00:00Z`) + count * DAY_MS).toISOString().slice(0, 10);
}

/** Undefined for a text that is no day of the calendar, such as the 30th of February. */
export function parseDay(text: string): Day | undefined {
  if (!/^20\d{2}-\d{2}-\d{2}$/.test(text)) return undefined;
  const at = Date.parse(`${text}T00:00Z`);
  const isReal = !Number.isNaN(at) && new Date(at).toISOString().slice(0, 10) === text;
  return isReal ? text : undefined;
}

const FORMATS = new Map<string, Intl.DateTimeFormat>();

/** How far the clocks of the zone are ahead of UTC at this instant. */
function aheadMs(zone: string, atMs: number): number {
  const parts = formatOf(zone).formatToParts(atMs);
  const part = (type: Intl.DateTimeFormatPartTypes) =>
    Number(parts.find((one) => one.type === type)?.value);
  const shown = Date.UTC(
    part('year'),
    part('month') - 1,
    part('day'),
    part('hour'),
    part('minute'),
    part('second'),
  );
  return shown - Math.floor(atMs / 1_000) * 1_000;
}

/** Kept, because making one takes longer than a thousand uses of it. Only zones of countries come here. */
function formatOf(zone: string): Intl.DateTimeFormat {
  const known = FORMATS.get(zone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat('en', {
    timeZone: zone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
    hourCycle: 'h23',
  });
  FORMATS.set(zone, format);
  return format;
}
