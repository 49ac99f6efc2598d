/**
 * Why a transfer that was to be sent waits for a person instead, as its event says: its number is on a deny list now, it
 * pays again what the operator may have paid, or its time passed longer ago than the policy of its book allows.
 */
export const HELD_BACK_REASONS = [
  'RECIPIENT_DENIED',
  'EARLIER_MAY_BE_PAID',
  'SEND_TIME_MISSED',
] as const;

export type HeldBackReason = (typeof HELD_BACK_REASONS)[number];

/** Null: the event by which it came to wait has another cause. */
export function heldBackReasonOf(cause: string | null): HeldBackReason | null {
  return HELD_BACK_REASONS.find((reason) => reason === cause) ?? null;
}
