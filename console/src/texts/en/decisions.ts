import type { Decision } from '../../api/staff-types.ts';

/** What people say of a transfer, in the words of the command line. */
export const decisions = {
  paid: 'it was paid',
  not_paid: 'it was not paid',
  reversed: 'the operator returned the money',
} as const satisfies Readonly<Record<Decision, string>>;

/** How we read an operator's answer, in the same words on every screen. */
const outcomes: Readonly<Record<string, string>> = {
  paid: 'paid',
  rejected: 'refused',
  pending: 'under way',
  notSent: 'not sent',
  unknown: 'not known',
  throttled: 'too many requests',
  unanswered: 'no answer',
  notFound: 'not found',
  returned: 'returned',
  mismatched: 'differs from what was sent',
};

export function nameOutcome(outcome: string): string {
  return outcomes[outcome] ?? outcome;
}
