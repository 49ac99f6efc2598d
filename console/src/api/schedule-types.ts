export type Recurrence = Readonly<{
  every: 'month' | 'week';
  day: number | string;
  at: string;
  ifHoliday: 'before' | 'after' | 'same';
}>;

/** One time that is to come. */
export type OccurrenceDate = Readonly<{
  period: string;
  ruleDay: string;
  payDay: string;
  payAt: string;
}>;

export type MadeOccurrence = Readonly<{
  period: string;
  payAt: string;
  payoutFileId: string;
  state: 'made' | 'submitted' | 'refused';
  waitsBecause: 'LATE' | 'MAKER_LEFT' | null;
  refusal: Readonly<{ code: string; message: string }> | null;
}>;

export type Schedule = Readonly<{
  id: string;
  name: string;
  walletId: string;
  country: string;
  currency: string;
  recurrence: Recurrence;
  zone: string;
  state: 'active' | 'paused' | 'ended';
  payouts: number;
  sum: string;
  nextAt: string | null;
  next: readonly OccurrenceDate[];
  last: MadeOccurrence | null;
  refused: MadeOccurrence | null;
  madeBy: Readonly<{ kind: 'person' | 'key'; id: string; name: string }>;
  version: string;
}>;

export type Holiday = Readonly<{
  country: string;
  day: string;
  name: string;
  source: string;
  enteredBy: string;
  enteredAt: string;
}>;

export type CalendarItem = Readonly<{
  kind: 'transfers' | 'file' | 'schedule';
  scheduleId: string | null;
  payoutFileId: string | null;
  name: string | null;
  at: string;
  count: number;
  sum: string;
  currency: string;
  state: string | null;
  refusal: Readonly<{ code: string; message: string }> | null;
}>;

export type CalendarDay = Readonly<{
  date: string;
  count: number;
  sums: readonly Readonly<{ currency: string; sum: string }>[];
  holidays: readonly Holiday[];
  items: readonly CalendarItem[];
}>;

export type Calendar = Readonly<{
  month: string;
  country: string;
  zone: string;
  days: readonly CalendarDay[];
}>;
