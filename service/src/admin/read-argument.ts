import { InvalidArgumentError } from 'commander';
import { AdminRefused } from '../domain/admin-refused.ts';
import { parseEmail } from '../domain/email-address.ts';
import { CURRENCIES, type Currency, parseDecimal } from '../domain/money.ts';
import type { Mode } from '../domain/transfer.ts';
import { parsePersonName } from '../people/person-name.ts';
import { explainRefusal } from './explain-refusal.ts';

const MINUTE_MS = 60_000;
const MS_BY_UNIT: Readonly<Record<string, number>> = {
  m: MINUTE_MS,
  h: 60 * MINUTE_MS,
  d: 24 * 60 * MINUTE_MS,
};
const DURATION = /^([1-9][0-9]{0,5})([mhd])$/;
const DURATION_MAX_MS = 3_650 * 24 * 60 * MINUTE_MS;

/** Lets a reader of the use cases read an argument: what it refuses is wrong usage. */
export function asArgument<T>(read: (text: string) => T): (text: string) => T {
  return (text) => {
    try {
      return read(text);
    } catch (error) {
      if (!(error instanceof AdminRefused)) throw error;
      const { message, advice } = explainRefusal(error);
      throw new InvalidArgumentError(`${message} ${advice}`);
    }
  };
}

export function readEmailArgument(text: string): string {
  const email = parseEmail(text);
  if (email !== undefined) return email;
  throw new InvalidArgumentError('Write an e-mail address like chanda@example.com.');
}

export function readPersonName(text: string): string {
  const name = parsePersonName(text);
  if (name !== undefined) return name;
  throw new InvalidArgumentError("Give the person's own name: 1 to 80 characters on one line.");
}

export function readMode(text: string): Mode {
  if (text === 'test' || text === 'live') return text;
  throw new InvalidArgumentError('Choose test or live.');
}

export function readCurrency(text: string): Currency {
  const currency = CURRENCIES.find((known) => known === text.toUpperCase());
  if (currency !== undefined) return currency;
  throw new InvalidArgumentError(`Choose from ${CURRENCIES.join(', ')}.`);
}

export function readAmount(text: string): bigint {
  const amountMinor = parseDecimal(text);
  if (amountMinor !== undefined) return amountMinor;
  throw new InvalidArgumentError(
    'Write an amount like 1000.50: from 0.01 to 1000000000.00, at most 2 decimals, no commas.',
  );
}

/** An amount, or `none` for no limit. */
export function readLimit(text: string): bigint | null {
  return text === 'none' ? null : readAmount(text);
}

/** `30m`, `24h` or `90d`, in milliseconds. */
export function readDuration(text: string): number {
  const [, count = '', unit = ''] = DURATION.exec(text) ?? [];
  const durationMs = Number(count) * (MS_BY_UNIT[unit] ?? Number.NaN);
  if (durationMs <= DURATION_MAX_MS) return durationMs;
  throw new InvalidArgumentError('Write a time like 30m, 24h or 90d, at most 3650d.');
}

/** A day, or a moment with its offset; a day begins at midnight UTC. */
export function readMoment(text: string): Date {
  const moment = new Date(text);
  if (MOMENT.test(text) && !Number.isNaN(moment.getTime())) return moment;
  throw new InvalidArgumentError(
    'Write a day like 2026-11-15, or a time like 2026-11-15T08:00:00Z.',
  );
}

const MOMENT = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2}))?$/;
