import type { Contradiction } from './next-step.ts';

/** What contradicts what is recorded about a transfer, as a code: incidents are stored with it alone. */
export type IncidentKind =
  | Contradiction
  | 'paid_before_sent'
  | 'paid_by_other_operator'
  | 'unclear_after_end';

/** "Paid" for a reference that no transfer has: kept in a table of its own and listed among the incidents. */
export const PAID_WITHOUT_TRANSFER = 'paid_without_transfer';

/** The runbook "In doubt" says what to do about each. */
const SENTENCES: Readonly<Record<IncidentKind | typeof PAID_WITHOUT_TRANSFER, string>> = {
  mismatch_after_success:
    'The operator reports another payout than the one that is settled as paid.',
  paid_after_failure: 'The operator says that it paid a transfer whose hold was already released.',
  paid_before_sent: 'The operator says that it paid a transfer that was not sent yet.',
  paid_by_other_operator:
    'Another operator than the one that it was sent to says that it paid this transfer.',
  paid_without_transfer: 'The operator says that it paid a reference that no transfer here has.',
  refused_after_success:
    'The operator says that it did not pay a transfer that is settled as paid.',
  unclear_after_end:
    'After its end it was in question whether the operator returned or paid it. The operator was asked for 72 hours, and did not say.',
};

const BY_KIND: ReadonlyMap<string, string> = new Map(Object.entries(SENTENCES));

export const DESCRIBED_KINDS: readonly string[] = [...BY_KIND.keys()];

/**
 * What a kind says to people. `kept` is the sentence that earlier releases stored with the incident. It is shown only for
 * a kind that this release does not know; without one the kind itself is shown.
 */
export function describeIncident(kind: string, kept: string | null = null): string {
  return BY_KIND.get(kind) ?? kept ?? kind;
}
