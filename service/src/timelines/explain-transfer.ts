import { describeDoubt } from '../domain/describe-doubt.ts';
import { DOUBT_RULES, type DoubtKind } from '../domain/doubt-kind.ts';
import type { HeldBackReason } from '../domain/held-back.ts';
import { FAILURES, type FailureCode } from '../domain/outcome.ts';
import type { Transfer } from '../domain/transfer.ts';
import { describeWaiting } from './describe-waiting.ts';
import type { WhyAwaiting } from './read-why-awaiting.ts';

/** Why a transfer is where it is, in words that a merchant can act on. */
export type WaitingReason = Readonly<{
  line: string;
  /** When something happens by itself. */
  next: Date | null;
  /** What the reader can do; null: nothing. */
  action: string | null;
}>;

const MAY_CANCEL = 'You may cancel it.';
const SUSPENDED = 'It waits: your payouts are suspended.';
const APPROVALS = 'Who may approve it finds it under Approvals. Its maker may recall it.';
const SCREENER =
  'It goes on when the screener allows it. Without an answer in time it waits for a person. Its maker may recall it, and an owner may reject it.';
const KEEP_WAITING = 'Do not pay it in another way: it may be paid already. The money stays held.';
const PEOPLE_LOOK =
  'People of the service look at it with the operator. Do not pay it in another way.';

const HELD_BACK: Readonly<Record<HeldBackReason, Readonly<{ line: string; action: string }>>> = {
  RECIPIENT_DENIED: {
    line: 'It was not sent: its number is on a deny list since it was ordered. The money stays held.',
    action:
      'An approver or an owner rejects it, or approves it once the entry has ended. Without a decision it is cancelled.',
  },
  EARLIER_MAY_BE_PAID: {
    line: 'It was not sent: it pays again what failed or was cancelled, and the operator may have paid that. The money stays held.',
    action:
      'Ask the company that runs this service what became of the earlier payout. An approver or an owner rejects this one, or approves it once it is known that the earlier one was not paid. Without a decision it is cancelled.',
  },
  SEND_TIME_MISSED: {
    line: 'It was not sent: when it could be, its time had passed longer ago than the policy allows. The money stays held.',
    action:
      'An approver or an owner decides whether it is sent now. Without a decision it is cancelled.',
  },
};

/** Sentences for merchants, where the one for the staff names internals of the service. */
const FOR_MERCHANTS: Readonly<Partial<Record<DoubtKind, string>>> = {
  SUBMISSION_INTERRUPTED: 'Sending it was interrupted before an answer came.',
  UNREADABLE_ANSWER: 'The operator gave an answer that says neither paid nor refused.',
  ACCOUNT_CHANGED: 'The operator has to be asked by hand whether it was paid.',
};

const FAILURE_ACTIONS: Readonly<Record<FailureCode, string>> = {
  RECIPIENT_NOT_FOUND: 'Check the number and the operator, then pay under a new reference.',
  RECIPIENT_NOT_ALLOWED: 'Ask the recipient to have the operator open the account.',
  RECIPIENT_LIMIT_REACHED:
    'Pay under a new reference once the recipient has room, or a smaller amount.',
  AMOUNT_REFUSED: 'Pay another amount under a new reference.',
  OPERATOR_REJECTED:
    'See what the operator said below; pay under a new reference once it is mended.',
  OPERATOR_FLOAT_INSUFFICIENT: 'Pay again later under a new reference.',
  CANCELLED: 'To pay after all, use a new reference.',
  APPROVAL_REJECTED: 'Ask who rejected it why. To pay after all, use a new reference.',
  APPROVAL_EXPIRED: 'To pay after all, use a new reference, and have it approved in time.',
  APPROVAL_RECALLED: 'To pay after all, use a new reference.',
  SCREENING_REFUSED: 'Ask the people who run the screener why.',
};

type Situation = Readonly<{
  isSuspended: boolean;
  /** The operator lately said that our account holds less than the amount. */
  isFloatLow: boolean;
  /** Null: it is not in `awaiting_approval`. */
  whyAwaiting: WhyAwaiting | null;
  now: Date;
}>;

export function explainTransfer(
  transfer: Transfer,
  { isSuspended, isFloatLow, whyAwaiting, now }: Situation,
): WaitingReason {
  const { state, nextActionAt, failureCode } = transfer;
  switch (state) {
    case 'scheduled':
      return isSuspended
        ? { line: SUSPENDED, next: null, action: MAY_CANCEL }
        : { line: 'It waits for its time.', next: transfer.sendAt, action: MAY_CANCEL };
    case 'awaiting_approval':
      return explainWaiting(transfer, whyAwaiting);
    case 'queued':
      return isSuspended
        ? { line: SUSPENDED, next: null, action: MAY_CANCEL }
        : {
            line: sayQueued(transfer, isFloatLow),
            next: nextActionAt,
            action: MAY_CANCEL,
          };
    case 'submitting':
      return { line: 'It is being sent to the operator.', next: null, action: null };
    case 'submitted':
      return {
        line: 'The operator has it and has not said yet whether it is paid.',
        next: nextActionAt,
        action: null,
      };
    case 'in_doubt':
      return explainDoubt(transfer, now);
    case 'succeeded':
      return { line: 'The recipient was paid.', next: null, action: null };
    case 'reversed':
      return {
        line: 'The operator returned the money after it was paid; your wallet has it again.',
        next: null,
        action: 'To pay after all, use a new reference.',
      };
    case 'failed':
    case 'cancelled': {
      const code = failureCode ?? 'OPERATOR_REJECTED';
      const line = `${FAILURES[code]} Your wallet has the money again.`;
      return { line, next: null, action: FAILURE_ACTIONS[code] };
    }
    default: {
      const unhandled: never = state;
      throw new Error(`unhandled ${String(unhandled)}`);
    }
  }
}

function sayQueued({ operator }: Transfer, isFloatLow: boolean): string {
  return isFloatLow
    ? `It waits until ${operator} takes it: the operator's float is low.`
    : `It waits until ${operator} takes it: the operator is closed or busy now.`;
}

/** `next` is when it is cancelled unless it is decided by then. */
function explainWaiting(transfer: Transfer, whyAwaiting: WhyAwaiting | null): WaitingReason {
  const { nextActionAt: next } = transfer;
  if (whyAwaiting === null) throw new Error('what a transfer waits for was not read');
  if (typeof whyAwaiting === 'string') return { ...HELD_BACK[whyAwaiting], next };
  const line = `${describeWaiting(transfer, whyAwaiting, 'the policy')} The money stays held.`;
  return { line, next, action: whyAwaiting.people ? APPROVALS : SCREENER };
}

function explainDoubt(transfer: Transfer, now: Date): WaitingReason {
  const kind = transfer.doubtKind ?? 'SUBMISSION_LOST';
  const isFlagged = transfer.nextActionAt === null;
  const { needsPerson, next } = describeDoubt({ transfer, kind, isFlagged, now }, null);
  const says = FOR_MERCHANTS[kind] ?? DOUBT_RULES[kind].says;
  return {
    line: `It is not known yet whether it was paid. ${says}`,
    next: next.what === 'INQUIRY' ? next.at : null,
    action: needsPerson ? PEOPLE_LOOK : KEEP_WAITING,
  };
}
