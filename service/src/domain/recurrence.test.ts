import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import {
  firstPeriod,
  HOLIDAY_RULES,
  type MonthDay,
  nextOccurrences,
  occurrenceOf,
  type Recurrence,
  WEEKDAYS,
} from './recurrence.ts';
import { addDays, type Day } from './zone.ts';

const NONE: ReadonlySet<Day> = new Set();

const monthly = (day: MonthDay, ifHoliday: Recurrence['ifHoliday'] = 'same'): Recurrence => ({
  every: 'month',
  day,
  at: '08:30',
  zone: 'Africa/Lusaka',
  ifHoliday,
});

const payDays = (rule: Recurrence, from: string, count: number, holidays = NONE) =>
  nextOccurrences(
    rule,
    { period: firstPeriod(rule, new Date(from), holidays), count },
    holidays,
  ).map(({ payDay }) => payDay);

describe('a day of every month', () => {
  it('is the last day where the month is shorter', () => {
    assert.deepEqual(payDays(monthly(31), '2027-12-15T00:00:00Z', 5), [
      '2027-12-31',
      '2028-01-31',
      '2028-02-29',
      '2028-03-31',
      '2028-04-30',
    ]);
  });

  it('is the last working day, before weekends and holidays', () => {
    // 31 October 2026 is a Saturday; 31 December a Thursday, here a holiday.
    const days = payDays(
      monthly('last_working_day'),
      '2026-10-01T00:00:00Z',
      3,
      new Set(['2026-12-31', '2026-11-30']),
    );
    assert.deepEqual(days, ['2026-10-30', '2026-11-27', '2026-12-30']);
  });

  it('moves before or after weekends and holidays, or not at all', () => {
    // Sunday 25 October 2026, after Independence Day; Christmas is a Friday.
    const holidays = new Set(['2026-10-26', '2026-12-25']);
    const days = (rule: Recurrence['ifHoliday']) =>
      payDays(monthly(25, rule), '2026-10-01T00:00:00Z', 3, holidays);
    assert.deepEqual(days('before'), ['2026-10-23', '2026-11-25', '2026-12-24']);
    assert.deepEqual(days('after'), ['2026-10-27', '2026-11-25', '2026-12-28']);
    assert.deepEqual(days('same'), ['2026-10-25', '2026-11-25', '2026-12-25']);
  });

  it('keeps its month when a holiday moves it into another one', () => {
    const rule = monthly(1, 'before');
    const [moved] = nextOccurrences(
      rule,
      {
        period: firstPeriod(rule, new Date('2026-12-20T00:00:00Z'), new Set(['2027-01-01'])),
        count: 1,
      },
      new Set(['2027-01-01']),
    );
    assert.deepEqual([moved?.period, moved?.payDay], ['2027-01', '2026-12-31']);
  });
});

it('finds one that a holiday moved into the month that has begun', () => {
  // 31 October 2026 is a Saturday, and Monday 2 November is the next working day.
  assert.deepEqual(payDays(monthly('last', 'after'), '2026-11-01T00:00:00Z', 1), ['2026-11-02']);
});

it('shows the wanted time also on a day on which clocks are changed', () => {
  // In New York clocks go from 2 to 3 in the morning of 14 March 2027.
  const rule: Recurrence = { ...monthly(14), at: '05:00', zone: 'America/New_York' };
  const period = firstPeriod(rule, new Date('2027-03-01T00:00:00Z'), NONE);
  assert.equal(occurrenceOf(rule, period, NONE).at.toISOString(), '2027-03-14T09:00:00.000Z');
});

describe('a day of every week', () => {
  it('may be a Saturday, and moves only from holidays', () => {
    const rule: Recurrence = { ...monthly(1), every: 'week', day: 'sat', ifHoliday: 'before' };
    const days = payDays(rule, '2026-10-20T00:00:00Z', 2, new Set(['2026-10-24', '2026-10-23']));
    assert.deepEqual(days, ['2026-10-22', '2026-10-31']);
  });

  it('has weeks as ISO 8601 numbers them', () => {
    const rule: Recurrence = { ...monthly(1), every: 'week', day: 'mon' };
    const period = firstPeriod(rule, new Date('2026-12-28T00:00:00Z'), NONE);
    const names = nextOccurrences(rule, { period, count: 2 }, NONE).map(
      (one) => `${one.period} ${one.payDay}`,
    );
    assert.deepEqual(names, ['2026-W53 2026-12-28', '2027-W01 2027-01-04']);
  });
});

const anyDay = fc.integer({ min: 0, max: 1_500 }).map((offset) => addDays('2026-01-01', offset));
const anyTime = fc
  .tuple(fc.integer({ min: 5, max: 23 }), fc.integer({ min: 0, max: 59 }))
  .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':'));
const anyRule: fc.Arbitrary<Recurrence> = fc
  .record({
    // The last two change their clocks, before 5 in the morning.
    zone: fc.constantFrom('Africa/Lusaka', 'Africa/Lagos', 'Europe/Berlin', 'America/New_York'),
    at: anyTime,
    ifHoliday: fc.constantFrom(...HOLIDAY_RULES),
  })
  .chain((rest) =>
    fc.oneof(
      fc
        .oneof(
          fc.integer({ min: 1, max: 31 }),
          fc.constantFrom('last' as const, 'last_working_day' as const),
        )
        .map((day) => ({ ...rest, every: 'month' as const, day })),
      fc.constantFrom(...WEEKDAYS).map((day) => ({ ...rest, every: 'week' as const, day })),
    ),
  );
const anyHolidays = fc.uniqueArray(anyDay, { maxLength: 200 }).map((days) => new Set(days));
const anyInstant = anyDay.chain((day) => anyTime.map((time) => new Date(`${day}T${time}:00Z`)));

/** What a clock on a wall in the zone shows. */
const shownIn = (zone: string, at: Date) =>
  at.toLocaleString('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' });
const isWeekend = (day: Day) => [0, 6].includes(new Date(`${day}T12:00Z`).getUTCDay());
const daysBetween = (from: Day, to: Day): readonly Day[] =>
  from >= to ? [] : [from, ...daysBetween(addDays(from, 1), to)];

it('shows the wanted time on the wall of the zone', () => {
  fc.assert(
    fc.property(anyRule, anyHolidays, anyInstant, (rule, holidays, from) => {
      const one = occurrenceOf(rule, firstPeriod(rule, from, holidays), holidays);
      assert.equal(shownIn(rule.zone, one.at), `${one.payDay} ${rule.at}`);
    }),
  );
});

it('moves to the nearest working day, and never over one', () => {
  fc.assert(
    fc.property(anyRule, anyHolidays, anyInstant, (rule, holidays, from) => {
      const { day, payDay } = occurrenceOf(rule, firstPeriod(rule, from, holidays), holidays);
      const isOff = (one: Day) => isWeekend(one) || holidays.has(one);
      if (day === payDay) return;
      assert.notEqual(rule.ifHoliday === 'same' && rule.day !== 'last_working_day', true);
      assert.equal(isOff(payDay), false);
      const isBefore = rule.ifHoliday === 'before' || rule.day === 'last_working_day';
      assert.equal(payDay < day, isBefore);
      const passed = isBefore ? daysBetween(addDays(payDay, 1), day) : daysBetween(day, payDay);
      assert.deepEqual(
        passed.filter((one) => !isOff(one)),
        [],
      );
    }),
  );
});

it('leaves no period out and has none twice', () => {
  fc.assert(
    fc.property(anyRule, anyHolidays, anyInstant, (rule, holidays, from) => {
      const start = { period: firstPeriod(rule, from, holidays), count: 30 };
      const all = nextOccurrences(rule, start, holidays);
      assert.equal(new Set(all.map(({ period }) => period)).size, 30);
      const stepDays = rule.every === 'month' ? [28, 31] : [7, 7];
      for (const [index, { day }] of all.slice(1).entries()) {
        const passed = daysBetween(all[index]?.day ?? '', day).length;
        assert.ok(passed >= (stepDays[0] ?? 0) && passed <= (stepDays[1] ?? 0), `${passed} days`);
      }
    }),
  );
});

it('begins with the first that is not before the given instant', () => {
  fc.assert(
    fc.property(anyRule, anyHolidays, anyInstant, (rule, holidays, from) => {
      const period = firstPeriod(rule, from, holidays);
      assert.ok(occurrenceOf(rule, period, holidays).at >= from);
      assert.ok(occurrenceOf(rule, period - 1, holidays).at < from);
    }),
  );
});
