import type { Holiday } from '../../holidays/holiday.ts';

/** Merchants are not told which person of the staff did something. */
export function renderHoliday(holiday: Holiday, reader: 'merchant' | 'staff') {
  const { country, day, name, source, enteredBy, enteredAt } = holiday;
  const person = reader === 'staff' ? enteredBy?.name : 'Kafue staff';
  return {
    country,
    day,
    name,
    source,
    enteredBy: enteredBy === null ? 'Kafue' : person,
    enteredAt: enteredAt.toISOString(),
  };
}
