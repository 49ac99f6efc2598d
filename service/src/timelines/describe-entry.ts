import type { MadeDecision } from '../approvals/approval.ts';
import { hideEvidence } from '../domain/cause.ts';
import { formatMinor } from '../domain/money.ts';
import type { Transfer } from '../domain/transfer.ts';
import type { TransferState } from '../domain/transfer-state.ts';
import type { TimelineEntry } from '../resolutions/read-timeline.ts';
import type { TransferDelivery } from '../webhooks/read-transfer-deliveries.ts';
import type { ShownActor } from './name-actors.ts';
import { readOperatorWords } from './operator-words.ts';

/** One thing that happened to a transfer, as its merchant sees it. */
export type ShownEntry = Readonly<{
  at: Date;
  kind:
    | 'created'
    | 'state'
    | 'attempt'
    | 'callback'
    | 'posting'
    | 'webhook'
    | 'person'
    | 'incident';
  title: string;
  detail: string | null;
  actor: ShownActor | null;
  facts: Readonly<Record<string, string | number | boolean | null>>;
}>;

type Shown = Readonly<{ transfer: Transfer; nameOf: (code: string) => ShownActor }>;

export function describeEntry(entry: TimelineEntry, shown: Shown): ShownEntry {
  const { at } = entry;
  const plain = { at, detail: null, actor: null, facts: {} };
  switch (entry.sort) {
    case 'event':
      return describeEvent(entry.event, shown);
    case 'attempt':
      return describeAttempt(entry.attempt, shown.transfer);
    case 'callback':
      return describeCallback(entry.callback, shown.transfer);
    case 'posting':
      return describePosting(entry.posting, shown.transfer);
    case 'incident opened':
      return {
        ...plain,
        kind: 'incident',
        title: 'The operator contradicts what is recorded',
        detail: 'People of the service find out who is right.',
      };
    case 'incident closed':
      return { ...plain, kind: 'incident', title: 'The contradiction is settled' };
    case 'proposed':
    case 'proposal ended':
      throw new Error('what people propose is not for merchants');
    default: {
      const unhandled: never = entry;
      throw new Error(`unhandled ${JSON.stringify(unhandled)}`);
    }
  }
}

type EventOf = Extract<TimelineEntry, { sort: 'event' }>['event'];
type AttemptOf = Extract<TimelineEntry, { sort: 'attempt' }>['attempt'];
type CallbackOf = Extract<TimelineEntry, { sort: 'callback' }>['callback'];
type PostingOf = Extract<TimelineEntry, { sort: 'posting' }>['posting'];

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

function describeEvent(event: EventOf, { nameOf }: Shown): ShownEntry {
  const { at, from, state, cause, actor, event: type, sequence } = event;
  const facts = { from, state, event: type };
  const said = { at, actor: nameOf(actor), facts };
  return sequence === 1
    ? { ...said, kind: 'created', title: 'Requested', detail: null }
    : { ...said, kind: 'state', title: STATE_TITLES[state], detail: hideEvidence(cause) };
}

const ATTEMPT_TITLES: Readonly<Record<string, string>> = {
  submit: 'Sent to',
  resubmit: 'Sent again, as the same order, to',
  inquire: 'Asked',
  recall: 'Recalled at',
};

function describeAttempt(attempt: AttemptOf, { operator }: Transfer): ShownEntry {
  const { at, purpose, outcome, httpStatus, elapsedMs } = attempt;
  const { code, meaning } = readOperatorWords(attempt.answer);
  return {
    at,
    kind: 'attempt',
    title: `${ATTEMPT_TITLES[purpose] ?? 'Called'} ${operator}`,
    detail: httpStatus === null ? 'No answer came.' : meaning,
    actor: null,
    facts: { operation: purpose, outcome, httpStatus, code, meaning, elapsedMs },
  };
}

function describeCallback(
  { at, claims, verified }: CallbackOf,
  { operator }: Transfer,
): ShownEntry {
  return {
    at,
    kind: 'callback',
    title: `${operator} called back`,
    detail: 'A call is a hint: the operator is asked before it counts.',
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

function describePosting(posting: PostingOf, { currency }: Transfer): ShownEntry {
  const { at, kind, fromAccount: from, toAccount: to, sequence } = posting;
  const amount = formatMinor(posting.amountMinor);
  return {
    at,
    kind: 'posting',
    title: `${amount} ${currency} ${POSTING_TITLES[kind] ?? kind}`,
    detail: null,
    actor: null,
    facts: { posting: kind, amount, currency, from, to, sequence: Number(sequence) },
  };
}

/** That people of the service began to decide about it at this time, and nothing of what they think. */
export function describeLook(at: Date): ShownEntry {
  const title = 'People of the service look at it';
  return { at, kind: 'person', title, detail: null, actor: null, facts: {} };
}

/** That one of the merchant's people approved or rejected it. */
export function describeDecision({ at, person, decision, role, reason }: MadeDecision): ShownEntry {
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

/** One entry for a delivery, at its last attempt: a schedule of ten would hide the payout. */
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
