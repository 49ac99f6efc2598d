import { DOUBT_RULES, type DoubtKind } from '../domain/doubt-kind.ts';
import type { HeldBackReason } from '../domain/held-back.ts';
import type { Currency } from '../domain/money.ts';
import type { Country, Operator } from '../domain/operator.ts';
import type { Mode } from '../domain/transfer.ts';
import type { TransferState } from '../domain/transfer-state.ts';
import type { FileStop } from './file-stop.ts';
import type { StopEffect } from './stop-routes.ts';

/** A transfer or recipient that does not progress as it should. */
export type StuckFacts = Readonly<{
  kind: 'transfer' | 'recipient';
  id: string;
  reference: string | null;
  merchant: string;
  mode: Mode;
  amountMinor: bigint | null;
  currency: Currency | null;
  operator: Operator;
  country: Country;
  state: TransferState | 'pending';
  /** The reference under which the operator knows the transfer. */
  operatorReference: string | null;
  since: Date;
  checks: number;
  nextActionAt: Date | null;
  /** A person must act: nothing more happens by itself. */
  flagged: boolean;
  /** Why it is in doubt; null: it is not. */
  doubtKind: DoubtKind | null;
  /** How a person stopped the route that it waits for; null: the route is open. */
  routeStop: StopEffect | null;
  merchantIsSuspended: boolean;
  /** Why it waits for people although it was to be sent; null: it does not, or the reason is not known here. */
  heldBack: HeldBackReason | null;
  /** It is queued, and another route says that it paid it already. */
  isPaidElsewhere: boolean;
  /** It is queued, and its payout file keeps it there; null: it does not. */
  fileStop: FileStop | null;
}>;

/** Why it is stuck, and what a person can do: a sentence or two each. */
export type Explanation = Readonly<{ why: string; whatToDo: string }>;

const IMPOSSIBLE: Explanation = {
  why: 'People left or lost their roles, and the remaining people cannot give the approvals that it waits for.',
  whatToDo:
    'Tell the merchant: an owner gives the roles to other people, or it is cancelled, which releases the money.',
};

const ELSE_CANCELLED =
  'Without a decision it is cancelled when the time of its policy is over (7 days if it says nothing), which releases the money.';

const HELD_BACK: Readonly<Record<HeldBackReason, Explanation>> = {
  RECIPIENT_DENIED: {
    why: 'Its number is on a deny list since it was ordered: so it was not sent.',
    whatToDo: `Tell the merchant: one of its approvers or owners rejects it, or approves it once the entry has ended. ${ELSE_CANCELLED}`,
  },
  EARLIER_MAY_BE_PAID: {
    why: 'It pays again what failed or was cancelled, and the operator may have paid that: so it was not sent.',
    whatToDo: `Look the earlier payout up at its operator, settle it, and close its incident ("incidents list"). Until then the merchant's people can only reject this one. ${ELSE_CANCELLED}`,
  },
  SEND_TIME_MISSED: {
    why: 'The service was down, or its merchant suspended, when it was to be sent, and found it later than its policy allows (24 hours if it says nothing): so it was not sent.',
    whatToDo: `Tell the merchant: one of its approvers or owners approves or rejects it. ${ELSE_CANCELLED}`,
  },
};

const HELD_BACK_OTHERWISE: Explanation = {
  why: 'A person has to look at it before it is sent: "transfers show" has the cause.',
  whatToDo: `Tell the merchant: one of its approvers or owners approves or rejects it. ${ELSE_CANCELLED}`,
};

export function explainStuckTransfer(stuck: StuckFacts): Explanation {
  switch (stuck.state) {
    case 'in_doubt':
      return explainDoubt(stuck);
    case 'submitting':
      return {
        why: 'The process that was sending it stopped before it recorded the answer, so it may have been sent.',
        whatToDo:
          'See that the service runs: it inquires at the operator, and never sends it twice. The money stays held.',
      };
    case 'awaiting_approval':
      if (!stuck.flagged) return IMPOSSIBLE;
      return stuck.heldBack === null ? HELD_BACK_OTHERWISE : HELD_BACK[stuck.heldBack];
    case 'scheduled':
      if (stuck.merchantIsSuspended) return EXPLAINED_BY_SUSPENSION;
      return {
        why: 'Its time to be sent has passed, and no process has queued it.',
        whatToDo: 'See that the service runs; the merchant may cancel it.',
      };
    case 'queued':
      if (stuck.isPaidElsewhere) return EXPLAINED_BY_INCIDENT;
      if (stuck.fileStop === 'cancelled') return EXPLAINED_BY_CANCELLED_FILE;
      if (stuck.merchantIsSuspended) return EXPLAINED_BY_SUSPENSION;
      if (stuck.fileStop === 'waits') return EXPLAINED_BY_FILE;
      if (stuck.routeStop !== null) return explainStop(stuck.routeStop);
      return {
        why: 'It should have left the queue long ago: no process has taken it, or no route takes its amount now.',
        whatToDo:
          'See that the service runs and has a route to this operator whose bounds allow the amount; the merchant may cancel it.',
      };
    case 'submitted':
      return {
        why: 'The operator has had it for more than an hour and has not said whether it paid.',
        whatToDo: `${askOperator(stuck)} The service keeps inquiring by itself.`,
      };
    default:
      throw new Error(`a transfer that is ${stuck.state} is not stuck`);
  }
}

const EXPLAINED_BY_INCIDENT: Explanation = {
  why: 'Another route says that it paid it before it was sent, so it is not sent while that incident is open.',
  whatToDo:
    'Look its reference up at the operator. If it was paid, the merchant cancels it; then close the incident ("incidents list"), and what is not cancelled is sent.',
};

const EXPLAINED_BY_FILE: Explanation = {
  why: 'The rest of its payout file waits for a person, so it is not sent either.',
  whatToDo:
    'Tell the merchant: one of its approvers or owners approves or rejects the file. Then it is sent or cancelled.',
};

/** Also of a suspended merchant. */
const EXPLAINED_BY_CANCELLED_FILE: Explanation = {
  why: 'Its payout file was cancelled, so it is not sent either, and no process has cancelled it yet.',
  whatToDo: 'See that the service runs: it cancels it by itself, which releases the money.',
};

const EXPLAINED_BY_SUSPENSION: Explanation = {
  why: 'Its merchant is suspended, so what is queued or scheduled waits.',
  whatToDo:
    '"administrators acts --kind MERCHANT_SUSPENDED" says by whom and why, "merchants resume" ends it; the merchant may cancel it.',
};

function explainStop(effect: StopEffect): Explanation {
  return {
    why: `Its route is ${effect} by a person, so nothing is sent on it.`,
    whatToDo: `"routes list" says by whom and why, "routes ${effect === 'held' ? 'release' : 'open'}" ends it; the merchant may cancel it.`,
  };
}

export function explainStuckRecipient(stuck: StuckFacts): Explanation {
  return {
    why: `The account's name was requested ${times(stuck.checks)}, and the operator could not be reached.`,
    whatToDo: `See whether ${name(stuck)} can be reached from here; the service tries again by itself.`,
  };
}

function explainDoubt(stuck: StuckFacts): Explanation {
  const { nextActionAt, flagged } = stuck;
  const { says, needsPerson } = DOUBT_RULES[stuck.doubtKind ?? 'SUBMISSION_LOST'];
  const next =
    nextActionAt === null
      ? 'no further inquiry is planned'
      : `the next inquiry is at ${nextActionAt.toISOString()}`;
  const why = `${says} Inquiries on schedule so far: ${stuck.checks}; ${next}.`;
  if (!needsPerson && !flagged && nextActionAt !== null) {
    const whatToDo = 'Nothing yet: most doubts end by themselves. The money stays held until then.';
    return { why, whatToDo };
  }
  return {
    why,
    whatToDo: `${askOperator(stuck)} Then two administrators decide, with "transfers resolve"; the money stays held until then.`,
  };
}

function askOperator(stuck: StuckFacts): string {
  return `Ask ${name(stuck)} about reference ${stuck.operatorReference ?? 'unknown'}.`;
}

function name({ operator, country }: StuckFacts): string {
  return `${operator} (${country})`;
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}
