import type { Exchange, Journals } from '../checker/read-journals.ts';

/** What clients, readers, operators or receivers could have seen, had the service been wrong. */
export type JournalDamage = Readonly<{
  name: string;
  caughtBy: string;
  damage: (journals: Journals, kept: Kept) => Journals;
}>;

/** Answers of the run that damages start from. */
export type Kept = Readonly<{
  /** A fresh 201 of a transfer of a test book that succeeded. */
  accepted: Exchange;
  /** A fresh 201 of another one, with an Idempotency-Key. */
  keyed: Exchange;
}>;
