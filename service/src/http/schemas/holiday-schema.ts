import { Type } from 'typebox';
import { HOLIDAY_NAME_LENGTH_MAX, HOLIDAY_SOURCE_LENGTH_MAX } from '../../holidays/holiday.ts';
import { CountryWord } from './transfer-schema.ts';

const DAY_PATTERN = '^20[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$';

/** A day of the calendar, in no zone. */
const CalendarDayText = (description: string) =>
  Type.String({ pattern: DAY_PATTERN, description, examples: ['2026-12-25'] });

export const YEAR_MIN = 2020;
export const YEAR_MAX = 2099;

const YearOption = Type.Optional(
  Type.Integer({
    minimum: YEAR_MIN,
    maximum: YEAR_MAX,
    description: 'Left out: the year that it is there.',
    examples: [2026],
  }),
);

export const HolidayQuery = Type.Object({ country: CountryWord, year: YearOption });

const holiday = {
  country: CountryWord,
  day: CalendarDayText('The day.'),
  name: Type.String({
    minLength: 1,
    maxLength: HOLIDAY_NAME_LENGTH_MAX,
    description: 'What people call it.',
    examples: ['Christmas Day'],
  }),
  source: Type.String({
    minLength: 1,
    maxLength: HOLIDAY_SOURCE_LENGTH_MAX,
    description: 'Where it is known from: a law, a notice of the ministry.',
    examples: ['Public Holidays Act'],
  }),
};

export const HolidayBody = Type.Object(holiday, { additionalProperties: false });

export const HolidayObject = Type.Object(
  {
    ...holiday,
    enteredBy: Type.String({
      description:
        'Who entered it. To merchants people of the staff are "Kafue staff"; what came with the service is "Kafue".',
      examples: ['Kafue'],
    }),
    enteredAt: Type.String({ format: 'date-time', description: 'When it was entered.' }),
  },
  { $id: 'Holiday', description: 'A day on which a country does not work, beside weekends.' },
);

export const HolidayList = Type.Object({
  items: Type.Array(HolidayObject, { description: 'The holidays of the year, in their order.' }),
});

export const HolidayParameters = Type.Object({
  country: CountryWord,
  day: CalendarDayText('The day.'),
});

export const RemovedHoliday = Type.Object({
  country: CountryWord,
  day: CalendarDayText('The day that is a working day again.'),
});
