import { instantOf } from './zoned-time.ts';

const DAY_MS = 86_400_000;

/** The day in a zone at an instant: `2026-10-30`. */
export function dayOf(at: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('en-CA', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).format(at);
}

/** Another day, this many later. */
export function addDays(day: string, count: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + count * DAY_MS).toISOString().slice(0, 10);
}

/** The instant at which a day begins in a zone; undefined: no such day. */
export function startOfDay(day: string, timeZone: string): Date | undefined {
  return instantOf(`${day}T00:00:00`, timeZone);
}
