import type { Country, Currency, Operator, Timestamp } from './words.ts';

/** When a list is paid: a day of every month or week, by the clocks of the wallet's country. */
export type Recurrence = Readonly<{
  every: 'month' | 'week';
  /** 1 to 31, `last` or `last_working_day`; of a week `mon` to `sun`. */
  day: number | string;
  /** `08:30`. */
  at: string;
  /** What to do if that day is a holiday, or for a month also a weekend. Default: `same`. */
  ifHoliday?: 'before' | 'after' | 'same' | null | undefined;
}>;

export type ScheduleRowInput = Readonly<{
  amount: number;
  phone: string;
  operator: Operator;
  country: Country;
  narration?: string | null | undefined;
  recipientName?: string | null | undefined;
}>;

/** Give `rows` (up to 100) or `payoutFileId`. In a change both may be left out, which keeps the saved list. */
export type ScheduleInput = Readonly<{
  /** Unique among schedules that have not ended, so that a repeated call makes no second one. */
  name: string;
  walletId: string;
  recurrence: Recurrence;
  payoutFileId?: string | null | undefined;
  rows?: readonly ScheduleRowInput[] | null | undefined;
}>;

export type ScheduleChange = ScheduleInput &
  Readonly<{
    /** The `version` that you saw. If the schedule was changed since, nothing is changed: `CONTENT_CHANGED`. */
    version?: string | null | undefined;
  }>;

export type ScheduleRow = Readonly<{
  number: number;
  phone: string;
  operator: Operator;
  country: Country;
  amount: number;
  recipientName: string | null;
  narration: string | null;
}>;

/** A future date of the schedule. */
export type ScheduleDate = Readonly<{
  /** The month or week, such as `2026-11`. Each is paid once. */
  period: string;
  /** The day by the rule alone, and the day after moving it for holidays. */
  ruleDay: string;
  payDay: string;
  payAt: Timestamp;
}>;

/** A past date of the schedule, and the payout file that was made for it. */
export type Occurrence = Readonly<{
  period: string;
  payAt: Timestamp;
  madeAt: Timestamp;
  payoutFileId: string;
  state: 'made' | 'submitted' | 'refused';
  /** Why it needs an approval that the policy does not require; null: it needs none. */
  waitsBecause: 'LATE' | 'MAKER_LEFT' | null;
  refusal: Readonly<{ code: string; message: string }> | null;
}>;

/** A list of payouts that is paid again every month or week. */
export type Schedule = Readonly<{
  id: string;
  name: string;
  walletId: string;
  country: Country;
  currency: Currency;
  recurrence: Recurrence;
  zone: string;
  state: 'active' | 'paused' | 'ended';
  /** How many payouts its list has. */
  payouts: number;
  /** Their amounts together, as decimal text. */
  sum: string;
  /** Null: it is not active. */
  nextAt: Timestamp | null;
  next: readonly ScheduleDate[];
  last: Occurrence | null;
  /** The latest whose payout file could not be submitted and is still a draft; null: there is none. */
  refused: Occurrence | null;
  madeBy: Readonly<{ kind: 'person' | 'key'; id: string; name: string }>;
  /** Changes with each change by a person or key. */
  version: string;
  createdAt: Timestamp;
  updatedAt: Timestamp;
  endedAt: Timestamp | null;
}>;

/** A day on which a country does not work, beside weekends. */
export type Holiday = Readonly<{
  country: Country;
  day: string;
  name: string;
  source: string;
  enteredBy: string;
  enteredAt: Timestamp;
}>;
