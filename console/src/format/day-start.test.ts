import assert from 'node:assert/strict';
import { it } from 'node:test';
import { addDays, dayOf, startOfDay } from './day-start.ts';

it('begins a day when the clocks of the zone show midnight', () => {
  assert.equal(
    startOfDay('2026-10-30', 'Africa/Lusaka')?.toISOString(),
    '2026-10-29T22:00:00.000Z',
  );
  assert.equal(startOfDay('2026-10-30', 'UTC')?.toISOString(), '2026-10-30T00:00:00.000Z');
  // The clocks of Berlin go back at 03:00 on this day.
  assert.equal(
    startOfDay('2026-10-25', 'Europe/Berlin')?.toISOString(),
    '2026-10-24T22:00:00.000Z',
  );
  assert.equal(
    startOfDay('2026-10-26', 'Europe/Berlin')?.toISOString(),
    '2026-10-25T23:00:00.000Z',
  );
  assert.equal(startOfDay('2026-13-01', 'UTC'), undefined);
});

it('knows the day of an instant and the days round it', () => {
  assert.equal(dayOf(new Date('2026-10-29T22:30:00Z'), 'Africa/Lusaka'), '2026-10-30');
  assert.equal(addDays('2026-11-01', -7), '2026-10-25');
});
