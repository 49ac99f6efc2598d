import { createRecentItems } from './recent-items.ts';

/** The content of an order, which must be the same whenever its reference comes again. */
type OrderContent = Readonly<{ msisdn: string; amountMinor: string; currency: string }>;

/** A submission that reached the operator, whether it was accepted or not. */
export type SubmissionRecord = OrderContent &
  Readonly<{
    at: string;
    ourReference: string;
    became: 'taken' | 'notTaken' | 'duplicate';
  }>;

/** A reference that came again with another number, amount or currency. */
export type SubmissionViolation = Readonly<{
  at: string;
  ourReference: string;
  first: OrderContent;
  again: OrderContent;
}>;

/** Every submission that arrived, for tests. A real operator has no record of a submission that it lost. */
export type SubmissionLog = Readonly<{
  add(submission: SubmissionRecord): void;
  all(): readonly SubmissionRecord[];
  violations(): readonly SubmissionViolation[];
}>;

const KEPT_MAX = 20_000;

export function createSubmissionLog(): SubmissionLog {
  const submissions = createRecentItems<SubmissionRecord>(KEPT_MAX);
  const violations = createRecentItems<SubmissionViolation>(KEPT_MAX);
  const firstOf = new Map<string, OrderContent>();
  return {
    add(submission) {
      const { at, ourReference } = submission;
      submissions.add(submission);
      const again = contentOf(submission);
      const first = firstOf.get(ourReference);
      if (first === undefined) firstOf.set(ourReference, again);
      else if (!isSame(first, again)) violations.add({ at, ourReference, first, again });
    },
    all: submissions.all,
    violations: violations.all,
  };
}

function contentOf({ msisdn, amountMinor, currency }: OrderContent): OrderContent {
  return { msisdn, amountMinor, currency };
}

function isSame(one: OrderContent, other: OrderContent): boolean {
  return (
    one.msisdn === other.msisdn &&
    one.amountMinor === other.amountMinor &&
    one.currency === other.currency
  );
}
