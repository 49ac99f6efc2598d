/** How a float is: `out` pays nothing more, `low` needs a person soon, `unknown` was not reported, or too long ago. */
export const FLOAT_LEVELS = ['ok', 'low', 'out', 'unknown'] as const;
export type FloatLevel = (typeof FLOAT_LEVELS)[number];

/** Whether a float is enough for something that is to be paid. */
export const FLOAT_VERDICTS = ['enough', 'not_enough', 'unknown'] as const;
export type FloatVerdict = (typeof FLOAT_VERDICTS)[number];

/** When the float of a route is low. */
export type LowFloat = Readonly<{
  /** Null: only the hours count. */
  belowMinor: bigint | null;
  hours: number;
}>;

/** An older figure says nothing about now: a busy route empties an account in less than an hour. */
const FLOAT_AGE_MAX_MS = 15 * 60_000;

/** What the operator reported, and what is to be paid from it. */
export type FloatFacts = Readonly<{
  /** Null: it was never reported. */
  operatorMinor: bigint | null;
  ageMs: number | null;
  /** Under way and queued, by all routes that share the account. */
  committedMinor: bigint;
  /** Paid in the last hours by all routes that share the account, and in how many hours. */
  paidMinor: bigint;
  paidHours: number;
}>;

/** What is left once everything that is ordered is paid. Below zero: not all of it can be. Null: unknown. */
export function spendableOf(facts: FloatFacts): bigint | null {
  const { operatorMinor, ageMs, committedMinor } = facts;
  if (operatorMinor === null || ageMs === null || ageMs > FLOAT_AGE_MAX_MS) return null;
  return operatorMinor - committedMinor;
}

/** How long that lasts at the rate of the last hours. Null: unknown, or nothing was paid. */
export function hoursLeft(facts: FloatFacts): number | null {
  const spendable = spendableOf(facts);
  if (spendable === null || facts.paidMinor <= 0n || facts.paidHours <= 0) return null;
  if (spendable <= 0n) return 0;
  return (Number(spendable) / Number(facts.paidMinor)) * facts.paidHours;
}

export function floatLevel(facts: FloatFacts, low: LowFloat): FloatLevel {
  const spendable = spendableOf(facts);
  if (spendable === null) return 'unknown';
  if (spendable <= 0n) return 'out';
  const isBelow = low.belowMinor !== null && spendable < low.belowMinor;
  const hours = hoursLeft(facts);
  return isBelow || (hours !== null && hours < low.hours) ? 'low' : 'ok';
}

export function floatVerdict(spendableMinor: bigint | null, neededMinor: bigint): FloatVerdict {
  if (spendableMinor === null) return 'unknown';
  return spendableMinor >= neededMinor ? 'enough' : 'not_enough';
}
