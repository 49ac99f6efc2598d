import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { compileRules, ORDER, QUIET } from '../../../test/test-policy.ts';
import { evaluate, NOTHING_MATCHED } from './evaluate.ts';

const NIGHT = { zone: 'Africa/Lusaka', days: ['sat', 'sun'], from: '18:00', to: '06:00' };

describe('hours', () => {
  const isIn = (hours: object, at: string) =>
    evaluate(compileRules({ hours }), { ...ORDER, at: new Date(at) }, QUIET) !== NOTHING_MATCHED;

  it('over midnight belong to the day on which they begin', () => {
    // Saturday is the 14th. Lusaka is two hours ahead.
    for (const [at, expected] of [
      ['2026-11-14T15:59:59.999Z', false],
      ['2026-11-14T16:00:00.000Z', true],
      ['2026-11-15T03:59:59.999Z', true],
      ['2026-11-15T04:00:00.000Z', false],
      ['2026-11-15T16:00:00.000Z', true],
      ['2026-11-16T03:59:59.999Z', true],
      ['2026-11-16T16:00:00.000Z', false],
      ['2026-11-13T16:00:00.000Z', false],
      ['2026-11-14T03:00:00.000Z', false],
    ] as const) {
      assert.equal(isIn(NIGHT, at), expected, at);
    }
  });

  it('of the whole day go to 24:00, and days alone mean just that', () => {
    const days = { zone: 'Africa/Lagos', days: ['mon'] };
    for (const hours of [{ ...days, from: '00:00', to: '24:00' }, days]) {
      assert.ok(!isIn(hours, '2026-11-15T22:59:59.999Z'));
      assert.ok(isIn(hours, '2026-11-15T23:00:00.000Z'));
      assert.ok(isIn(hours, '2026-11-16T22:59:59.999Z'));
      assert.ok(!isIn(hours, '2026-11-16T23:00:00.000Z'));
    }
  });

  it('follow the clocks of the zone when they are changed', () => {
    const hours = { zone: 'Europe/Berlin', from: '02:00', to: '04:00' };
    // On the 29th of March 2026 clocks go from 02:00 to 03:00, at 01:00 UTC; on the 25th of October back.
    assert.ok(!isIn(hours, '2026-03-29T00:59:59.999Z'));
    assert.ok(isIn(hours, '2026-03-29T01:00:00.000Z'));
    assert.ok(isIn(hours, '2026-03-29T01:59:59.999Z'));
    assert.ok(!isIn(hours, '2026-03-29T02:00:00.000Z'));
    assert.ok(isIn(hours, '2026-10-25T00:00:00.000Z'));
    assert.ok(isIn(hours, '2026-10-25T02:59:59.999Z'));
    assert.ok(!isIn(hours, '2026-10-25T03:00:00.000Z'));
  });

  it('are right also when a policy is asked about many times, in any order', () => {
    const policy = compileRules({ hours: { zone: 'Europe/Berlin', from: '02:00', to: '04:00' } });
    const isInAt = (at: string) =>
      evaluate(policy, { ...ORDER, at: new Date(at) }, QUIET) !== NOTHING_MATCHED;
    // In summer 01:30 UTC is 03:30, in winter 02:30; 02:30 UTC is 04:30 and 03:30.
    for (const [at, expected] of [
      ['2026-07-01T01:30:00Z', true],
      ['2026-01-01T02:30:00Z', true],
      ['2026-07-01T02:30:00Z', false],
      ['2026-01-01T00:30:00Z', false],
      ['2026-07-01T00:30:00Z', true],
    ] as const) {
      assert.equal(isInAt(at), expected, at);
    }
  });

  it('know zones that are not whole hours away, and days before 1970', () => {
    const hours = { zone: 'Asia/Kathmandu', days: ['wed'], from: '00:00', to: '00:15' };
    assert.ok(isIn(hours, '2026-11-17T18:15:00.000Z'));
    assert.ok(!isIn(hours, '2026-11-17T18:14:59.999Z'));
    assert.ok(
      isIn({ zone: 'UTC', days: ['wed'], from: '23:59', to: '24:00' }, '1969-12-31T23:59:30Z'),
    );
  });

  it('hold when an order is taken or is to be sent within them', () => {
    const policy = compileRules({ hours: NIGHT });
    const isMatched = (at: string, sendAt: string | null) =>
      evaluate(
        policy,
        { ...ORDER, at: new Date(at), sendAt: sendAt === null ? null : new Date(sendAt) },
        QUIET,
      ) !== NOTHING_MATCHED;
    const fridayNoon = '2026-11-13T10:00:00Z';
    const saturdayEvening = '2026-11-14T18:00:00Z';
    const mondayNoon = '2026-11-16T10:00:00Z';
    assert.ok(!isMatched(fridayNoon, null));
    assert.ok(isMatched(fridayNoon, saturdayEvening));
    assert.ok(isMatched(saturdayEvening, mondayNoon));
    // The night that lies between both times does not count.
    assert.ok(!isMatched(fridayNoon, mondayNoon));
  });

  it('are never in and out of a time at once', () => {
    const minute = fc.integer({ min: 0, max: 1_439 });
    const clock = (of: number) =>
      `${String(Math.floor(of / 60)).padStart(2, '0')}:${String(of % 60).padStart(2, '0')}`;
    const zone = fc.constantFrom('Africa/Lusaka', 'Africa/Lagos', 'America/New_York', 'UTC');
    const at = fc.date({
      min: new Date('2026-01-01'),
      max: new Date('2027-01-01'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(minute, minute, zone, at, (from, to, name, moment) => {
        fc.pre(from !== to);
        const one = isIn({ zone: name, from: clock(from), to: clock(to) }, moment.toISOString());
        const rest = isIn({ zone: name, from: clock(to), to: clock(from) }, moment.toISOString());
        assert.notEqual(one, rest);
      }),
    );
  });
});
