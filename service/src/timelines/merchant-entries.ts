import type { MadeDecision } from '../approvals/approval.ts';
import { hideEvidence } from '../domain/cause.ts';
import type { Transfer } from '../domain/transfer.ts';
import type { TransferState } from '../domain/transfer-state.ts';
import type { TransferDelivery } from '../webhooks/read-transfer-deliveries.ts';
import type { ShownActor } from './name-actors.ts';
import { readOperatorWords } from './operator-words.ts';
import { type EntryWords, postingFacts, type ShownEntry } from './shown-entry.ts';
import type { AttemptOf, CallbackOf, EventOf, PostingOf } from './visit-entry.ts';

type About = Readonly<{ transfer: Transfer; nameOf: (code: string) => ShownActor }>;
type Said = Omit<ShownEntry, 'at'>;

const NO_FACTS = { detail: null, actor: null, facts: {} };

/** Entries for the merchant: its own people by name, the operator's own words, and nothing of the company's. */
export function merchantWords({ transfer, nameOf }: About): EntryWords {
  return {
    event: (event) => describeEvent(event, nameOf),
    attempt: (attempt) => describeAttempt(attempt, transfer),
    callback: (callback) => describeCallback(callback, transfer),
    posting: (posting) => describePosting(posting, transfer),
    incidentOpened: () => ({
      ...NO_FACTS,
      kind: 'incident',
      title: 'The operator contradicts what is recorded',
      detail: 'People of the service find out who is right.',
    }),
    incidentClosed: () => ({
      ...NO_FACTS,
      kind: 'incident',
      title: 'The contradiction is settled',
    }),
    proposed: refuseProposal,
    proposalEnded: refuseProposal,
  };
}

/** Merchants' timelines are read without proposals, so one here is a bug. */
function refuseProposal(): never {
  throw new Error('merchants may not see proposals');
}

const STATE_TITLES: Readonly<Record<TransferState, string>> = {
  scheduled: 'Scheduled',
  awaiting_approval: 'Waits for approval',
  queued: 'Queued',
  submitting: 'Being sent',
  submitted: 'With the operator',
  in_doubt: 'In doubt',
  succeeded: 'Paid',
  failed: 'Failed',
  cancelled: 'Cancelled',
  reversed: 'Returned by the operator',
};

function describeEvent(event: EventOf, nameOf: About['nameOf']): Said {
  const { from, state, cause, actor, event: type, sequence } = event;
  const facts = { from, state, event: type };
  const said = { actor: nameOf(actor), facts };
  return sequence === 1
    ? { ...said, kind: 'created', title: 'Requested', detail: null }
    : { ...said, kind: 'state', title: STATE_TITLES[state], detail: hideEvidence(cause) };
}

const ATTEMPT_TITLES: Readonly<Record<string, string>> = {
  submit: 'Sent to',
  resubmit: 'Sent again, as the same order, to',
  inquire: 'Asked',
  recall: 'Recalled at',
  callback: 'Answered by',
};

function describeAttempt(attempt: AttemptOf, { operator }: Transfer): Said {
  const { purpose, outcome, httpStatus, elapsedMs } = attempt;
  const { code, meaning } = readOperatorWords(attempt.answer);
  return {
    kind: 'attempt',
    title: `${ATTEMPT_TITLES[purpose] ?? 'Called'} ${operator}`,
    detail: httpStatus === null && purpose !== 'callback' ? 'No answer came.' : meaning,
    actor: null,
    facts: { operation: purpose, outcome, httpStatus, code, meaning, elapsedMs },
  };
}

function describeCallback(callback: CallbackOf, { operator }: Transfer): Said {
  const { claims, verified, handledAs } = callback;
  return {
    kind: 'callback',
    title: `${operator} called back`,
    detail:
      handledAs === 'TAKEN_AS_ANSWER'
        ? 'The call is signed and complete, so it counts as an answer.'
        : 'A call is a hint: the operator is asked before it counts.',
    actor: null,
    facts: { claims, verified },
  };
}

const POSTING_TITLES: Readonly<Record<string, string>> = {
  hold: 'held',
  release: 'released to the wallet',
  settle: 'paid out',
  fee: 'charged as fee',
  reverse: 'returned to the wallet',
  fee_return: 'of fee returned to the wallet',
};

function describePosting(posting: PostingOf, { currency }: Transfer): Said {
  const facts = postingFacts(posting);
  return {
    kind: 'posting',
    title: `${facts.amount} ${currency} ${POSTING_TITLES[posting.kind] ?? posting.kind}`,
    detail: null,
    actor: null,
    facts: { ...facts, currency },
  };
}

/** Says that people of the service began to decide about it, not what they proposed. */
export function describeLook(at: Date): ShownEntry {
  return { at, kind: 'person', title: 'People of the service look at it', ...NO_FACTS };
}

/** One of the merchant's people approved or rejected it. */
export function describeApproval({ at, person, decision, role, reason }: MadeDecision): ShownEntry {
  return {
    at,
    kind: 'person',
    title: decision === 'approve' ? 'Approved' : 'Rejected',
    detail: reason,
    actor: { kind: 'person', ...person },
    facts: { decision, role },
  };
}

const DELIVERY_TITLES: Readonly<Record<TransferDelivery['state'], string>> = {
  pending: 'Webhook waits',
  delivered: 'Webhook delivered',
  failed: 'Webhook not delivered',
};

/** One entry for a delivery, at its last attempt: an entry for each of ten attempts would hide the payout. */
export function describeDelivery(delivery: TransferDelivery): ShownEntry {
  const { id, endpointId, eventType, state, attempts, nextAttemptAt, createdAt, url } = delivery;
  const last = attempts.at(-1);
  return {
    at: last?.at ?? createdAt,
    kind: 'webhook',
    title: `${DELIVERY_TITLES[state]}: ${eventType}`,
    detail: last?.error ?? null,
    actor: null,
    facts: {
      deliveryId: id,
      endpointId,
      url,
      event: eventType,
      deliveryState: state,
      attempts: attempts.length,
      httpStatus: last?.status ?? null,
      elapsedMs: last?.elapsedMs ?? null,
      nextAttemptAt: nextAttemptAt?.toISOString() ?? null,
    },
  };
}
