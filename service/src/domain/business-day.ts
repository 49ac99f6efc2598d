import type { Country } from './operator.ts';

const DAY_MS = 24 * 60 * 60_000;
const HOUR_MS = 60 * 60_000;

/**
 * The zone of each country. Neither has summer time, so a business day always has 24 hours, and its start needs no
 * table of zones.
 */
export const COUNTRY_ZONES: Readonly<
  Record<Country, Readonly<{ zone: string; offsetMs: number }>>
> = {
  zm: { zone: 'Africa/Lusaka', offsetMs: 2 * HOUR_MS },
  ng: { zone: 'Africa/Lagos', offsetMs: HOUR_MS },
};

/** One day as people of a country count it. */
export type BusinessDay = Readonly<{
  /** Such as `2026-11-16`. */
  day: string;
  startsAt: Date;
  endsAt: Date;
}>;

export function businessDayOf(at: Date, country: Country): BusinessDay {
  const startsAt = businessDayStart(at, country);
  return {
    day: new Date(startsAt.getTime() + COUNTRY_ZONES[country].offsetMs).toISOString().slice(0, 10),
    startsAt,
    endsAt: new Date(startsAt.getTime() + DAY_MS),
  };
}

/** Apart, because every payout under a daily limit asks for it. */
export function businessDayStart(at: Date, country: Country): Date {
  const { offsetMs } = COUNTRY_ZONES[country];
  return new Date(Math.floor((at.getTime() + offsetMs) / DAY_MS) * DAY_MS - offsetMs);
}
