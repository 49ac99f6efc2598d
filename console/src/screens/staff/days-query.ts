import { addDays, startOfDay } from '../../format/day-start.ts';
import type { FilterValues } from '../../parts/filters.tsx';

/** What the API is asked for: the days `from` and `to` of the reader's zone become instants, both days included. */
export function daysQuery(
  { from, to, ...rest }: FilterValues,
  timeZone: string,
): Readonly<Record<string, string>> {
  const begin = from === undefined ? undefined : startOfDay(from, timeZone)?.toISOString();
  const end = to === undefined ? undefined : startOfDay(addDays(to, 1), timeZone)?.toISOString();
  return {
    ...rest,
    ...(begin === undefined ? {} : { from: begin }),
    ...(end === undefined ? {} : { to: end }),
  };
}
