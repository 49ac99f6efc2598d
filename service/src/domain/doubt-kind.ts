import type { Outcome } from './outcome.ts';
import type { TransferState } from './transfer-state.ts';

type DoubtRule = Readonly<{
  /** Why it is not known whether money moved, as a sentence for people. */
  says: string;
  /** Whether a person must act from the beginning, even while inquiries go on. */
  needsPerson: boolean;
}>;

/** Why a transfer is in doubt. Each has a section in docs/runbooks/doubts.md. */
export const DOUBT_RULES = {
  SUBMISSION_LOST: {
    says: 'It was sent, and no answer came that says whether the operator took it.',
    needsPerson: false,
  },
  SUBMISSION_THROTTLED: {
    says: 'The operator answered that it takes nothing now.',
    needsPerson: false,
  },
  SUBMISSION_INTERRUPTED: {
    says: 'The process that was sending it ended before it recorded an answer.',
    needsPerson: false,
  },
  RESUBMISSION_KNOWN: {
    says: 'The operator answered that it has it already when it was submitted again.',
    needsPerson: false,
  },
  RESUBMISSION_REFUSED: {
    says: 'The operator refused it when it was submitted again; the first submission may be paid.',
    needsPerson: false,
  },
  NOT_FOUND: {
    says: 'The operator does not know its reference.',
    needsPerson: false,
  },
  OPERATOR_SILENT: {
    says: 'The operator was sent an inquiry, and gave no answer about it.',
    needsPerson: false,
  },
  UNREADABLE_ANSWER: {
    says: 'The operator answered in a way that the connector does not understand.',
    needsPerson: false,
  },
  DUPLICATE_REFERENCE: {
    says: 'The operator has an order under its reference from before, perhaps for something else.',
    needsPerson: false,
  },
  PENDING_TOO_LONG: {
    says: 'The operator has had it for 72 hours and does not say whether it paid.',
    needsPerson: true,
  },
  CONTRADICTED: {
    says: 'What the operator said contradicts what was sent, or what it said before.',
    needsPerson: true,
  },
  ACCOUNT_CHANGED: {
    says: 'Its route leads to another account now than the one it was sent from.',
    needsPerson: true,
  },
  INQUIRY_IMPOSSIBLE: {
    says: 'The operator does not answer inquiries about payouts.',
    needsPerson: true,
  },
} as const satisfies Record<string, DoubtRule>;

export type DoubtKind = keyof typeof DOUBT_RULES;

export const DOUBT_KINDS = Object.keys(DOUBT_RULES) as readonly DoubtKind[];

/** An answer that left a transfer in doubt. */
export type DoubtfulAnswer = Readonly<{
  purpose: 'submit' | 'resubmit' | 'inquire';
  /**
   * `heard` is what the connector read from the answer; `weighed` is what remains after comparing it with the transfer.
   */
  heard: Outcome;
  weighed: Outcome;
  /** Null: no answer came, or nothing was sent. */
  httpStatus: number | null;
  /** The route has another account now than when the transfer was sent. */
  accountChanged: boolean;
  /** Whether the connector can inquire. */
  inquires: boolean;
}>;

type Before = Readonly<{ state: TransferState; kind: DoubtKind | null }>;

/** Returns why a transfer is in doubt after an answer: the latest known reason, not the first one. */
export function kindOfDoubt(before: Before, answer: DoubtfulAnswer): DoubtKind {
  const { weighed: outcome } = answer;
  switch (outcome.kind) {
    case 'mismatched':
    case 'paid':
    case 'returned':
      return 'CONTRADICTED';
    case 'rejected':
      return answer.purpose === 'resubmit' ? 'RESUBMISSION_REFUSED' : 'CONTRADICTED';
    case 'pending':
      return 'PENDING_TOO_LONG';
    case 'throttled':
      return answer.inquires ? 'SUBMISSION_THROTTLED' : 'INQUIRY_IMPOSSIBLE';
    case 'notFound':
      return 'NOT_FOUND';
    case 'notSent':
      return answer.purpose === 'resubmit'
        ? afterUnsent(before, answer)
        : afterSilence(before, answer);
    case 'unanswered':
      return afterSilence(before, answer);
    case 'unknown':
      return afterUnknown(before, answer, outcome.isDuplicate === true);
    default: {
      const unhandled: never = outcome;
      throw new Error(`unhandled ${JSON.stringify(unhandled)}`);
    }
  }
}

function afterUnknown(before: Before, answer: DoubtfulAnswer, isDuplicate: boolean): DoubtKind {
  const { heard, purpose, httpStatus } = answer;
  if (isDuplicate) return purpose === 'submit' ? 'DUPLICATE_REFERENCE' : 'RESUBMISSION_KNOWN';
  // The answer is about the payout, but it does not count.
  if (heard.kind === 'notFound' || heard.kind === 'rejected' || heard.kind === 'paid') {
    return answer.accountChanged && heard.kind !== 'paid'
      ? 'ACCOUNT_CHANGED'
      : 'DUPLICATE_REFERENCE';
  }
  if (httpStatus === null || !isReadable(httpStatus)) return afterSilence(before, answer);
  return answer.inquires ? 'UNREADABLE_ANSWER' : 'INQUIRY_IMPOSSIBLE';
}

const SERVER_ERROR_MIN = 500;
const TOO_MANY_REQUESTS = 429;

/** A server error says nothing about the payout. */
function isReadable(httpStatus: number): boolean {
  return httpStatus < SERVER_ERROR_MIN && httpStatus !== TOO_MANY_REQUESTS;
}

/** Nothing was resubmitted, so the earlier reason still holds. */
function afterUnsent(before: Before, { accountChanged }: DoubtfulAnswer): DoubtKind {
  return accountChanged ? 'ACCOUNT_CHANGED' : (before.kind ?? 'SUBMISSION_LOST');
}

/** Kinds that an unanswered inquiry does not change: they wait for something else than an answer. */
const KEPT_IN_SILENCE: readonly DoubtKind[] = [
  'CONTRADICTED',
  'DUPLICATE_REFERENCE',
  'PENDING_TOO_LONG',
  'ACCOUNT_CHANGED',
  'INQUIRY_IMPOSSIBLE',
];

function afterSilence({ state, kind }: Before, { purpose, inquires }: DoubtfulAnswer): DoubtKind {
  if (!inquires) return 'INQUIRY_IMPOSSIBLE';
  if (kind !== null && KEPT_IN_SILENCE.includes(kind)) return kind;
  if (purpose !== 'inquire') return 'SUBMISSION_LOST';
  // The last thing that the operator said is still that it did not take the order.
  if (kind === 'SUBMISSION_THROTTLED') return kind;
  return state === 'submitting' ? 'SUBMISSION_INTERRUPTED' : 'OPERATOR_SILENT';
}
