import { fieldProblem } from '../../domain/field-problem.ts';
import { COUNTRIES, type Country, isCountry } from '../../domain/operator.ts';
import { refuse } from '../../domain/refusal.ts';
import { dayIn, zoneOf } from '../../domain/zone.ts';
import { createQueryReader } from '../merchant-api/read-page.ts';
import { HolidayQuery, YEAR_MAX, YEAR_MIN } from '../schemas/holiday-schema.ts';

/** The days of the year that is asked for. */
export function readHolidayQuery(
  query: URLSearchParams,
  now: Date,
): Readonly<{ country: Country; from: string; to: string }> {
  const read = createQueryReader(query, Object.keys(HolidayQuery.properties));
  const { country, year } = read.checked({
    country: read.word('country', isCountry, 'INVALID_COUNTRY'),
    year: read.word('year', isYear, 'INVALID_DATE', `A year from ${YEAR_MIN} to ${YEAR_MAX}.`),
  });
  if (country === null) {
    const message = `Name a country: ${COUNTRIES.join(' or ')}.`;
    throw refuse('VALIDATION_ERROR', { fields: [fieldProblem('country', 'REQUIRED', message)] });
  }
  const wanted = year ?? dayIn(zoneOf(country), now).slice(0, 4);
  return { country, from: `${wanted}-01-01`, to: `${wanted}-12-31` };
}

function isYear(text: string): text is string {
  return /^\d{4}$/.test(text) && Number(text) >= YEAR_MIN && Number(text) <= YEAR_MAX;
}
