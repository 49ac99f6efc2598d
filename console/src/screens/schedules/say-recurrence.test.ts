import assert from 'node:assert/strict';
import { it } from 'node:test';
import { addMonths, sayDay, sayMonth, sayRecurrence } from './say-recurrence.ts';

it('says a recurrence in words', () => {
  const rest = { at: '08:30', ifHoliday: 'before' } as const;
  assert.deepEqual(
    [
      sayRecurrence({ every: 'month', day: 25, ...rest }),
      sayRecurrence({ every: 'month', day: 'last_working_day', ...rest }),
      sayRecurrence({ every: 'week', day: 'fri', ...rest }),
    ],
    [
      'Day 25 of every month, 08:30',
      'Last working day of every month, 08:30',
      'Every Friday, 08:30',
    ],
  );
});

it('says days and months as they are in the calendar', () => {
  assert.deepEqual(
    [sayDay('2026-10-30'), sayMonth('2026-12'), addMonths('2026-12', 1), addMonths('2026-01', -1)],
    ['Fri, 30 Oct', 'December 2026', '2027-01', '2025-12'],
  );
});
