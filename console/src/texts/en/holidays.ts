import { plural } from '../plural.ts';

/** Texts of the staff's holidays. */
export const holidays = {
  intro: 'Days on which a country does not work. Schedules of all merchants go by them.',
  country: 'Country',
  year: 'Year',
  previous: (year: number) => `${year}`,
  next: (year: number) => `${year}`,
  caption: 'Holidays of the year',
  day: 'Day',
  name: 'Name',
  source: 'Source',
  enteredBy: 'Entered by',
  count: (count: number) => plural(count, { one: 'holiday', other: 'holidays' }),
  order: 'In the order of the year',
  empty: 'No holiday is entered for this year',
  emptyDetail: 'Enter the holidays of the country’s law, and the days that its ministry declares.',
  declared: 'Islamic holidays follow the moon: enter them when they are declared.',
  enter: 'Enter a holiday',
  enterTitle: 'Enter a holiday',
  enterAct: 'Enter the holiday',
  nameHelp: 'What people call it.',
  sourceHelp: 'The law, or the notice by which it was declared.',
  missing: 'Fill in day, name and source first',
  entered: (name: string) => `${name} is entered. Schedules move with it.`,
  remove: 'Remove…',
  removeTitle: (name: string) => `Remove ${name}?`,
  removeDetail: (day: string) =>
    `${day} becomes a working day. Schedules that moved because of it move back.`,
  removeAct: (name: string) => `Remove ${name}`,
  removed: (name: string) => `${name} is removed.`,
  keep: 'Keep it',
} as const;
