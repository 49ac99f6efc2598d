import type { Country } from '../domain/operator.ts';
import type { Day } from '../domain/zone.ts';

export const HOLIDAY_NAME_LENGTH_MAX = 100;
export const HOLIDAY_SOURCE_LENGTH_MAX = 200;

/** A day on which a country does not work. */
export type Holiday = Readonly<{
  country: Country;
  day: Day;
  name: string;
  /** Where it is known from: a law, a notice of the ministry. */
  source: string;
  /** Who of the staff entered it; null: it came with the service. */
  enteredBy: Readonly<{ id: string; name: string }> | null;
  enteredAt: Date;
}>;
