import type { Currency } from '../domain/money.ts';
import type { Country, Operator } from '../domain/operator.ts';
import type { Recurrence } from '../domain/recurrence.ts';
import type { Day } from '../domain/zone.ts';

/** Schedules of one book that have not ended. */
export const SCHEDULES_MAX = 200;
export const SCHEDULE_NAME_LENGTH_MAX = 100;
/** Rows that can be given in the call itself; more come from a payout file. */
export const GIVEN_ROWS_MAX = 100;

export const SCHEDULE_STATES = ['active', 'paused', 'ended'] as const;
export type ScheduleState = (typeof SCHEDULE_STATES)[number];

/** Who made or last changed it. */
export type ScheduleMaker = Readonly<{ kind: 'person' | 'key'; id: string; name: string }>;

/** A list of payouts that is paid again every month or week. */
export type Schedule = Readonly<{
  bookId: string;
  id: string;
  name: string;
  walletId: string;
  country: Country;
  currency: Currency;
  rule: Recurrence;
  state: ScheduleState;
  /** The number of the next month or week to be paid. */
  nextPeriod: number;
  /** Null: it is not active. */
  nextAt: Date | null;
  rowsTotal: number;
  sumMinor: bigint;
  madeBy: ScheduleMaker;
  /** All who made or changed it or wrote its list, as codes of actors. None of them may approve what it pays. */
  makers: readonly string[];
  createdAt: Date;
  updatedAt: Date;
  endedAt: Date | null;
}>;

/** One payout of the saved list. */
export type ScheduleRow = Readonly<{
  phone: string;
  operator: Operator;
  country: Country;
  amountMinor: bigint;
  recipientName: string | null;
  narration: string | null;
}>;

/** Why the file of an occurrence waits for a person although the policy does not require it. */
export const WAITS_BECAUSE = ['LATE', 'MAKER_LEFT'] as const;
export type WaitsBecause = (typeof WAITS_BECAUSE)[number];

/** One time that a schedule came due. Its payout file was made with it. */
export type MadeOccurrence = Readonly<{
  period: string;
  day: Day;
  payAt: Date;
  madeAt: Date;
  fileId: string;
  waitsBecause: WaitsBecause | null;
  /** `made`: its file is being submitted. `refused`: it could not be; the file is a draft that a person can correct. */
  state: 'made' | 'submitted' | 'refused';
  refusal: Readonly<{ code: string; message: string }> | null;
}>;
