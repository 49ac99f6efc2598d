import { DOUBT_RULES } from '../domain/doubt-kind.ts';
import type { Stuck } from '../resolutions/list-stuck.ts';
import type { StuckReason } from '../resolutions/stuck-reason.ts';

/** Why it is stuck, and what a person can do: a sentence or two each. */
type StuckSentences = Readonly<{ why: string; whatToDo: string }>;

/** In the words of the command line. */
export function explainStuck(stuck: Stuck): StuckSentences {
  const [why, whatToDo] = SENTENCES[stuck.reason](stuck);
  return { why, whatToDo };
}

const ELSE_CANCELLED =
  'Without a decision it is cancelled when the time of its policy is over (7 days if it says nothing), which releases the money.';
const APPROVERS_DECIDE = `Tell the merchant: one of its approvers or owners approves or rejects it. ${ELSE_CANCELLED}`;

const SENTENCES: Readonly<Record<StuckReason, (stuck: Stuck) => readonly [string, string]>> = {
  DOUBT_OPEN: (stuck) => [
    describeDoubt(stuck),
    'Nothing yet: most doubts end by themselves. The money stays held until then.',
  ],
  DOUBT_NEEDS_PERSON: (stuck) => [
    describeDoubt(stuck),
    `${askOperator(stuck)} Then two administrators decide, with "transfers resolve"; the money stays held until then.`,
  ],
  SENDER_STOPPED: () => [
    'The process that was sending it stopped before it recorded the answer, so it may have been sent.',
    'See that the service runs: it inquires at the operator, and never sends it twice. The money stays held.',
  ],
  APPROVAL_IMPOSSIBLE: () => [
    'People left or lost their roles, and the remaining people cannot give the approvals that it waits for.',
    'Tell the merchant: an owner gives the roles to other people, or it is cancelled, which releases the money.',
  ],
  RECIPIENT_DENIED: () => [
    'Its number is on a deny list since it was ordered: so it was not sent.',
    `Tell the merchant: one of its approvers or owners rejects it, or approves it once the entry has ended. ${ELSE_CANCELLED}`,
  ],
  EARLIER_MAY_BE_PAID: () => [
    'It pays again what failed or was cancelled, and the operator may have paid that: so it was not sent.',
    `Look the earlier payout up at its operator, settle it, and close its incident ("incidents list"). Until then the merchant's people can only reject this one. ${ELSE_CANCELLED}`,
  ],
  SEND_TIME_MISSED: () => [
    'The service was down, or its merchant suspended, when it was to be sent, and found it later than its policy allows (24 hours if it says nothing): so it was not sent.',
    APPROVERS_DECIDE,
  ],
  HELD_BACK_OTHERWISE: () => [
    'A person has to look at it before it is sent: "transfers show" has the cause.',
    APPROVERS_DECIDE,
  ],
  NOT_QUEUED: () => [
    'Its time to be sent has passed, and no process has queued it.',
    'See that the service runs; the merchant may cancel it.',
  ],
  NOT_TAKEN: () => [
    'It should have left the queue long ago: no process has taken it, or no route takes its amount now.',
    'See that the service runs and has a route to this operator whose bounds allow the amount; the merchant may cancel it.',
  ],
  MERCHANT_SUSPENDED: () => [
    'Its merchant is suspended, so what is queued or scheduled waits.',
    '"administrators acts --kind MERCHANT_SUSPENDED" says by whom and why, "merchants resume" ends it; the merchant may cancel it.',
  ],
  PAID_ELSEWHERE: () => [
    'Another route says that it paid it before it was sent, so it is not sent while that incident is open.',
    'Look its reference up at the operator. If it was paid, the merchant cancels it; then close the incident ("incidents list"), and what is not cancelled is sent.',
  ],
  FILE_CANCELLED: () => [
    'Its payout file was cancelled, so it is not sent either, and no process has cancelled it yet.',
    'See that the service runs: it cancels it by itself, which releases the money.',
  ],
  FILE_WAITS: () => [
    'The rest of its payout file waits for a person, so it is not sent either.',
    'Tell the merchant: one of its approvers or owners approves or rejects the file. Then it is sent or cancelled.',
  ],
  ROUTE_HELD: () => [
    'Its route is held by a person, so nothing is sent on it.',
    '"routes list" says by whom and why, "routes release" ends it; the merchant may cancel it.',
  ],
  ROUTE_CLOSED: () => [
    'Its route is closed by a person, so nothing is sent on it.',
    '"routes list" says by whom and why, "routes open" ends it; the merchant may cancel it.',
  ],
  OPERATOR_SILENT: (stuck) => [
    'The operator has had it for more than an hour and has not said whether it paid.',
    `${askOperator(stuck)} The service keeps inquiring by itself.`,
  ],
  NAME_UNKNOWN: (stuck) => [
    `The account's name was requested ${times(stuck.checks)}, and the operator could not be reached.`,
    `See whether ${name(stuck)} can be reached from here; the service tries again by itself.`,
  ],
};

function describeDoubt({ doubtKind, checks, nextActionAt }: Stuck): string {
  const { says } = DOUBT_RULES[doubtKind ?? 'SUBMISSION_LOST'];
  const next =
    nextActionAt === null
      ? 'no further inquiry is planned'
      : `the next inquiry is at ${nextActionAt.toISOString()}`;
  return `${says} Inquiries on schedule so far: ${checks}; ${next}.`;
}

function askOperator(stuck: Stuck): string {
  return `Ask ${name(stuck)} about reference ${stuck.operatorReference ?? 'unknown'}.`;
}

function name({ operator, country }: Stuck): string {
  return `${operator} (${country})`;
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}
