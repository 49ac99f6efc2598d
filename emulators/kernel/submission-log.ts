import { createRing } from './ring.ts';

/** What an order is about; the same reference must always come with the same. */
type OrderContent = Readonly<{ msisdn: string; amountMinor: string; currency: string }>;

/** A submission that reached the operator, also one that it did not take. */
export type SubmissionRecord = OrderContent &
  Readonly<{
    at: string;
    ourReference: string;
    became: 'taken' | 'notTaken' | 'duplicate';
  }>;

/** A reference came again, with another number, amount or currency. */
export type SubmissionViolation = Readonly<{
  at: string;
  ourReference: string;
  first: OrderContent;
  again: OrderContent;
}>;

/** Every submission that came, for those who test; an operator does not keep what it lost. */
export type SubmissionLog = Readonly<{
  add(submission: SubmissionRecord): void;
  all(): readonly SubmissionRecord[];
  violations(): readonly SubmissionViolation[];
}>;

const KEPT_MAX = 20_000;

export function createSubmissionLog(): SubmissionLog {
  const submissions = createRing<SubmissionRecord>(KEPT_MAX);
  const violations = createRing<SubmissionViolation>(KEPT_MAX);
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
