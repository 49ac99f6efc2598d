import { Type } from 'typebox';
import { HOLIDAY_RULES, WEEKDAYS } from '../../domain/recurrence.ts';
import {
  GIVEN_ROWS_MAX,
  SCHEDULE_NAME_LENGTH_MAX,
  SCHEDULE_STATES,
  WAITS_BECAUSE,
} from '../../schedules/schedule.ts';
import { HolidayObject } from './holiday-schema.ts';
import { PageCursor, PageLimit } from './page-schema.ts';
import { nullableText, optionalOrNull, words } from './plain-fields.ts';
import { count, list, objectOrNull, text, time, timeOrNull } from './staff-fields.ts';
import { CountryWord, CurrencyWord, OperatorWord, TransferBody } from './transfer-schema.ts';

const VERSION_LENGTH_MAX = 100;
const TIME_PATTERN = '^([01][0-9]|2[0-3]):[0-5][0-9]$';
const EveryWord = words(['month', 'week'], 'How often.');
const HolidayWord = words(
  HOLIDAY_RULES,
  'When the day is a holiday, or of a month a Saturday or Sunday: the working day before, the one after, or that day all the same.',
);
const AtText = Type.String({
  pattern: TIME_PATTERN,
  description: 'The time that clocks show in the country of the wallet.',
  examples: ['08:30'],
});
const DAY =
  'Of a month: 1 to 31, where 29 to 31 mean the last day of a shorter month; `last`; or `last_working_day`. ' +
  'Of a week: `mon` to `sun`.';
const Day = Type.Unsafe<string | number>({
  type: ['integer', 'string'],
  description: DAY,
  examples: ['last_working_day', 25, 'fri'],
});

const RecurrenceBody = Type.Object(
  {
    every: EveryWord,
    day: Day,
    at: AtText,
    ifHoliday: optionalOrNull({ ...HolidayWord, default: 'same' }),
  },
  {
    additionalProperties: false,
    description: 'When it is paid.',
    examples: [{ every: 'month', day: 'last_working_day', at: '08:30', ifHoliday: 'before' }],
  },
);

const { amount, phone, operator, country, narration, recipientName } = TransferBody.properties;
const RowsBody = Type.Array(
  Type.Object(
    { amount, phone, operator, country, narration, recipientName },
    { additionalProperties: false },
  ),
  {
    minItems: 1,
    maxItems: GIVEN_ROWS_MAX,
    description: `The list itself, up to ${GIVEN_ROWS_MAX} payouts. A longer one comes from a payout file.`,
  },
);

const choice = {
  name: Type.String({
    minLength: 1,
    maxLength: SCHEDULE_NAME_LENGTH_MAX,
    description:
      'What people call it. Its payout files are called by it and the month or week. No other schedule of the book that has not ended may have it, so that a repeated call makes no second one.',
    examples: ['Salaries'],
  }),
  walletId: Type.String({
    format: 'uuid',
    description: 'The wallet to pay from. Clocks and holidays are those of its country.',
  }),
};

export const ScheduleBody = Type.Object(
  {
    ...choice,
    recurrence: RecurrenceBody,
    payoutFileId: optionalOrNull(
      Type.String({
        format: 'uuid',
        description:
          'A payout file of this book without problems: its rows are copied. Give it or `rows`. In a change, left out: the saved list stays.',
      }),
    ),
    rows: optionalOrNull(RowsBody),
  },
  { additionalProperties: false },
);

export const ScheduleChangeBody = Type.Object(
  {
    ...ScheduleBody.properties,
    version: optionalOrNull(
      Type.String({
        maxLength: VERSION_LENGTH_MAX,
        description:
          'The `version` of the schedule as you saw it. If it was changed since, nothing is changed: 409 `CONTENT_CHANGED`.',
      }),
    ),
  },
  { additionalProperties: false },
);

const OccurrenceDate = Type.Object(
  {
    period: Type.String({
      description: 'The month or week that it is for. Each is paid once.',
      examples: ['2026-11', '2026-W47'],
    }),
    ruleDay: text('The day by the rule alone.'),
    payDay: text('The day after holidays.'),
    payAt: time('The instant at which it is paid.'),
  },
  { description: 'One time that is to come.' },
);

const refusalFields = {
  code: text('The code of the refusal.'),
  message: text('What is wrong.'),
};

const MadeOccurrence = {
  period: text('The month or week that it was for.'),
  payAt: time('When it was to be paid.'),
  madeAt: time('When its payout file was made.'),
  payoutFileId: text('Its payout file.'),
  state: words(
    ['made', 'submitted', 'refused'],
    '`made`: its file is being submitted. `refused`: it could not be; the file is a draft to be corrected and submitted by a person. `WALLET_INACTIVE` and `CONTENT_CHANGED` are tried again, until `sendLateWithin` has passed or a person changes the draft.',
  ),
  waitsBecause: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    enum: [...WAITS_BECAUSE, null],
    description:
      'Why it waits for an approval that no rule asks for: it was later than `sendLateWithin`, or the maker of the schedule may not pay any more. Null: it does not wait for that.',
  }),
  refusal: objectOrNull(refusalFields, 'Why it could not be submitted; null: it was.'),
};

export const ScheduleObject = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'Our id of the schedule.' }),
    ...choice,
    country: CountryWord,
    currency: CurrencyWord,
    recurrence: Type.Object(
      { every: EveryWord, day: Day, at: AtText, ifHoliday: HolidayWord },
      { description: 'When it is paid.' },
    ),
    zone: text('The zone of the clocks.'),
    state: words(SCHEDULE_STATES, 'Only an active one is paid.'),
    payouts: count('How many payouts its saved list has.'),
    sum: Type.String({
      description: 'Their amounts together, without fees.',
      examples: ['48200.00'],
    }),
    nextAt: timeOrNull('When it is paid next; null: it is not active.'),
    next: list(OccurrenceDate, 'The next five times. Empty: it is not active.'),
    last: objectOrNull(MadeOccurrence, 'What it made last; null: nothing yet.'),
    refused: objectOrNull(
      MadeOccurrence,
      'The latest whose payout file could not be submitted and is still a draft: correct it and submit it. Null: there is none.',
    ),
    madeBy: Type.Object(
      {
        kind: words(['person', 'key'], 'A person or an API key.'),
        id: text('The id.'),
        name: text('The name.'),
      },
      {
        description:
          'Who made or last changed it. All who ever did, and who wrote its list, count as the makers of what it pays.',
      },
    ),
    version: text('Another one after each change by a person or key. A change can name it.'),
    createdAt: time('When it was made.'),
    updatedAt: time('When a person or key changed it last.'),
    endedAt: timeOrNull('When it was ended; null: it has not.'),
  },
  { $id: 'Schedule', description: 'A list of payouts that is paid again every month or week.' },
);

export const ScheduleListQuery = Type.Object({ limit: PageLimit, cursor: PageCursor });

export const SchedulePage = Type.Object({
  items: list(ScheduleObject, 'The schedules of this page, newest first.'),
  nextCursor: nullableText({ description: 'For the next page; null on the last.' }),
});

export const ScheduleDates = Type.Object({
  zone: text('The zone of the clocks.'),
  items: list(OccurrenceDate, 'The next five times.'),
});

export const OccurrenceList = Type.Object({
  items: list(Type.Object(MadeOccurrence), 'What the schedule made, latest first, 25 at most.'),
});

export const ScheduleRowPage = Type.Object({
  items: list(
    Type.Object({
      number: count('Its place in the list.'),
      phone: text('In E.164.'),
      operator: OperatorWord,
      country: CountryWord,
      amount: Type.Number({ description: 'The amount.' }),
      recipientName: nullableText({ description: 'A name for your records.' }),
      narration: nullableText({ description: 'A note for the recipient.' }),
    }),
    'The payouts of this page, in their order.',
  ),
  nextCursor: nullableText({ description: 'For the next page; null on the last.' }),
});

const DAY_WORDS = [
  ...Array.from({ length: 31 }, (_, index) => String(index + 1)),
  'last',
  'last_working_day',
  ...WEEKDAYS,
];

export const ScheduleDatesQuery = Type.Object({
  country: CountryWord,
  every: EveryWord,
  day: words(DAY_WORDS, DAY),
  at: AtText,
  ifHoliday: Type.Optional(HolidayWord),
});

export const MONTH_PATTERN = '^20[0-9]{2}-(0[1-9]|1[0-2])$';

export const CalendarQuery = Type.Object({
  month: Type.String({
    pattern: MONTH_PATTERN,
    description: 'The month.',
    examples: ['2026-12'],
  }),
  country: Type.Optional({
    ...CountryWord,
    description: 'Whose days and holidays. Left out: the first in which you have a wallet.',
  }),
});

const CalendarItem = Type.Object({
  kind: words(
    ['transfers', 'file', 'schedule'],
    'Scheduled transfers of the day together; a payout file with a time; a schedule.',
  ),
  scheduleId: nullableText({ description: 'The schedule; null: of none.' }),
  payoutFileId: nullableText({ description: 'The payout file; null: none, or not made yet.' }),
  name: nullableText({ description: 'What people call it; null: of transfers.' }),
  at: time('When; of transfers the first.'),
  count: count('Payouts.'),
  sum: text('Their amounts together, without fees.'),
  currency: CurrencyWord,
  state: nullableText({ description: 'The state of the payout file; null: there is none yet.' }),
  refusal: objectOrNull(
    refusalFields,
    'Why the payout file of a schedule is still a draft; null: it is none, or was not refused.',
  ),
});

export const CalendarObject = Type.Object({
  month: text('The month.'),
  country: CountryWord,
  zone: text('The zone whose days these are.'),
  days: list(
    Type.Object({
      date: text('The day.'),
      count: count('Payouts of the day, without those of cancelled files.'),
      sums: list(
        Type.Object({ currency: CurrencyWord, sum: text('The amounts, without fees.') }),
        'One for each currency.',
      ),
      holidays: list(HolidayObject, 'The holidays of the country on this day.'),
      items: list(CalendarItem, 'What is paid, in the order of time.'),
    }),
    'Every day of the month.',
  ),
});
