import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ageChangesAfterMs, formatAge } from './format-age.ts';
import {
  addAmounts,
  formatAmount,
  formatPercent,
  formatSums,
  sumByCurrency,
} from './format-amount.ts';
import { initialsOf, shortenId } from './format-id.ts';
import { formatPhone } from './format-phone.ts';
import { formatExact, formatTime, formatZone } from './format-time.ts';

describe('amounts', () => {
  it('are grouped, with two decimals always', () => {
    assert.equal(formatAmount('1204880'), '1,204,880.00');
    assert.equal(formatAmount(1850), '1,850.00');
    assert.equal(formatAmount('0.5'), '0.50');
    assert.equal(formatAmount(0.1 + 0.2), '0.30');
  });

  it('have a true minus sign', () => {
    assert.equal(formatAmount('-12400.00'), '\u221212,400.00');
  });

  it('keep every digit of a sum that no number holds', () => {
    assert.equal(formatAmount('90071992547409931.07'), '90,071,992,547,409,931.07');
    assert.equal(addAmounts(['90071992547409931.07', '0.01']), '90071992547409931.08');
  });

  it('are added exactly, also below zero', () => {
    assert.equal(addAmounts(['0.10', '0.20', '-1.05']), '-0.75');
    assert.equal(addAmounts([]), '0.00');
  });

  it('are summed per currency and never converted', () => {
    const sums = sumByCurrency([
      { currency: 'ZMW', amount: 940 },
      { currency: 'NGN', amount: '85000.00' },
      { currency: 'ZMW', amount: 1210 },
    ]);
    assert.equal(formatSums(sums), 'ZMW\u00a02,150.00 and NGN\u00a085,000.00');
  });

  it('percent has one decimal and a space', () => {
    assert.equal(formatPercent(0.987), '98.7\u00a0%');
  });
});

describe('times', () => {
  const now = new Date('2026-10-30T12:32:07Z');
  const timeZone = 'Africa/Lusaka';

  it('of today show the second, of other days the day, of other years the year', () => {
    const at = (text: string) => formatTime(new Date(text), { now, timeZone });
    assert.equal(at('2026-10-30T12:32:05Z'), '14:32:05');
    assert.equal(at('2026-10-28T12:02:00Z'), '28 Oct, 14:02');
    assert.equal(at('2025-09-01T12:02:00Z'), '1 Sep 2025, 14:02');
  });

  it('change the day at midnight of the reader, not of UTC', () => {
    const late = formatTime(new Date('2026-10-29T22:30:00Z'), { now, timeZone });
    assert.equal(late, '00:30:00');
  });

  it('tell the exact instant and the zone', () => {
    assert.equal(
      formatExact(now, timeZone),
      '30 Oct 2026, 14:32:07 Lusaka, UTC+2 (2026-10-30T12:32:07.000Z)',
    );
    assert.equal(formatZone('UTC', now), 'UTC');
  });
});

describe('ages', () => {
  it('have at most two units', () => {
    assert.equal(formatAge(180), '180 ms');
    assert.equal(formatAge(3_940), '3.9 s');
    assert.equal(formatAge(44_900), '44 s');
    assert.equal(formatAge((5 * 60 + 17) * 60_000 + 59_000), '5 h 17 min');
    assert.equal(formatAge(3 * 86_400_000), '3 d');
    assert.equal(formatAge(-5), '0 ms');
  });

  it('change no more often than their last digit', () => {
    assert.equal(ageChangesAfterMs(44_900), 100);
    assert.equal(ageChangesAfterMs(2 * 3_600_000 + 59_000), 1_000);
  });
});

describe('phones and ids', () => {
  it('are grouped as people of the country say them', () => {
    assert.equal(formatPhone('+260977433571'), '+260 97 743 3571');
    assert.equal(formatPhone('+2348035561290'), '+234 803 556 1290');
    assert.equal(formatPhone('+26097***3571'), '+260 97 ••• 3571');
    assert.equal(formatPhone('+4917012345678'), '+4917012345678');
  });

  it('ids keep their ends, and names their initials', () => {
    assert.equal(shortenId('019a3447-0000-7000-8000-00009e420b6c'), '019a3447…9e420b6c');
    assert.equal(initialsOf(' Thandiwe  Mulenga'), 'TM');
    assert.equal(initialsOf('Prince'), 'P');
  });
});
