import assert from 'node:assert/strict';
import { it } from 'node:test';
import * as fc from 'fast-check';
import { businessDayOf, COUNTRY_ZONES } from './business-day.ts';
import { COUNTRIES } from './operator.ts';

it('is the day that clocks in the country show, in any year', () => {
  const at = fc.date({
    min: new Date('1990-01-01'),
    max: new Date('2060-01-01'),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(at, fc.constantFrom(...COUNTRIES), (moment, country) => {
      const { day, startsAt, endsAt } = businessDayOf(moment, country);
      const shown = new Intl.DateTimeFormat('en-CA', { timeZone: COUNTRY_ZONES[country].zone });
      assert.equal(day, shown.format(moment));
      assert.ok(startsAt <= moment && moment < endsAt);
      assert.equal(shown.format(startsAt), day);
      assert.notEqual(shown.format(startsAt.getTime() - 1), day);
      assert.notEqual(shown.format(endsAt), day);
    }),
  );
});

it('begins two hours before midnight UTC in Zambia and one in Nigeria', () => {
  const at = new Date('2026-11-16T22:30:00Z');
  assert.equal(businessDayOf(at, 'zm').day, '2026-11-17');
  assert.equal(businessDayOf(at, 'ng').day, '2026-11-16');
  assert.equal(businessDayOf(at, 'zm').startsAt.toISOString(), '2026-11-16T22:00:00.000Z');
});
