import type { Random } from '../plan/random.ts';
import { isWithin, type Window } from './windows.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const SCHEDULED_PER_MILLE = 400;
const SEND_IN_MAX_MS = 40 * MINUTE_MS;
const ASKED_PER_MILLE = 200;
const DENIED_PER_MILLE = 500;
const DENIED_BEFORE_MAX_MS = 2 * MINUTE_MS;
const DENIED_AFTER_MAX_MS = 5 * MINUTE_MS;
const DENIED_MAX_MS = 30 * MINUTE_MS;
const VISITS = 8;
const APPROVED_PER_MILLE = 800;
/** After the faults people decide this often, so that nothing waits for them at the end. */
const LAST_VISITS_MS = [10 * MINUTE_MS, 30 * MINUTE_MS] as const;

/** What a merchant's people decide, and when payouts leave. */
export type ControlsPlan = Readonly<{
  /** When an order is to be sent, by its reference; those without an entry leave at once. */
  sendAtMs: ReadonlyMap<string, number>;
  /** The references of orders that a person has to approve. */
  asked: ReadonlySet<string>;
  /** When each number is denied. */
  denials: ReadonlyMap<string, Window>;
  /** What is later than this waits for a person. */
  lateWithinMs: number;
  /** When a person decides about everything that waits. */
  visitsMs: readonly number[];
  approvedPerMille: number;
}>;

type Among = Readonly<{
  orders: readonly Readonly<{ reference: string; phone: string; atMs: number }>[];
  healsAtMs: number;
}>;

/** Draws from its own stream, so that worlds without controls stay as they are. */
export function drawControls(random: Random, { orders, healsAtMs }: Among): ControlsPlan {
  const scheduled = orders.filter(() => random.chance(SCHEDULED_PER_MILLE));
  const asked = orders.filter(() => random.chance(ASKED_PER_MILLE));
  const denied = orders.filter(() => random.chance(DENIED_PER_MILLE));
  return {
    sendAtMs: new Map(
      scheduled.map(({ reference, atMs }) => [reference, atMs + random.between(0, SEND_IN_MAX_MS)]),
    ),
    asked: new Set(asked.map(({ reference }) => reference)),
    denials: new Map(denied.map(({ phone, atMs }) => [phone, drawDenial(random, atMs)])),
    lateWithinMs: random.pick([2_000, 2 * MINUTE_MS, 24 * HOUR_MS]),
    visitsMs: [
      ...Array.from({ length: VISITS }, () => random.between(0, healsAtMs)),
      ...LAST_VISITS_MS.map((afterMs) => healsAtMs + afterMs),
    ],
    approvedPerMille: APPROVED_PER_MILLE,
  };
}

/** Begins around the order, so that some wait in the queue or for their time when it does. */
function drawDenial(random: Random, orderedAtMs: number): Window {
  const fromMs = orderedAtMs + random.between(-DENIED_BEFORE_MAX_MS, DENIED_AFTER_MAX_MS);
  return { fromMs, toMs: fromMs + random.between(0, DENIED_MAX_MS) };
}

export function isDeniedAt(
  controls: ControlsPlan | null,
  { phone, atMs }: Readonly<{ phone: string; atMs: number }>,
): boolean {
  const denial = controls?.denials.get(phone);
  return denial !== undefined && isWithin([denial], atMs);
}
