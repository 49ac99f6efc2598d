import type { Decision } from '../../api/staff-types.ts';

/** What people say of a transfer, in the words of the command line. */
export const decisions = {
  paid: 'it was paid',
  not_paid: 'it was not paid',
  reversed: 'the operator returned the money',
} as const satisfies Readonly<Record<Decision, string>>;

/** What an answer was taken to mean. */
const outcomes: Readonly<Record<string, string>> = {
  paid: 'paid',
  rejected: 'refused',
  pending: 'not decided yet',
  notSent: 'nothing was sent',
  unknown: 'says nothing about the payout',
  throttled: 'takes nothing now',
  unanswered: 'no answer about the payout',
  notFound: 'does not know the reference',
  returned: 'the money was returned',
  mismatched: 'something other than what was sent',
};

export function nameOutcome(outcome: string): string {
  return outcomes[outcome] ?? outcome;
}
