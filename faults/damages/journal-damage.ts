import type { Exchange, Journals } from '../checker/read-journals.ts';

/** A change to the journals that makes them look as if the service had a bug. */
export type JournalDamage = Readonly<{
  name: string;
  caughtBy: string;
  damage: (journals: Journals, kept: Kept) => Journals;
}>;

/** The exchanges of the run that damages modify. */
export type Kept = Readonly<{
  /** A first 201 for a transfer of a test book that succeeded. */
  accepted: Exchange;
  /** A first 201 for another one, with an Idempotency-Key. */
  keyed: Exchange;
}>;
