import { describeCause } from '../domain/cause.ts';
import { hideNumber } from '../domain/hide-number.ts';
import { formatMinor } from '../domain/money.ts';
import { maskPhoneForStaff } from '../domain/phone-number.ts';
import type { Transfer } from '../domain/transfer.ts';
import { describeResolution, type Proposal } from '../resolutions/proposal.ts';
import type { Timeline } from './read-timeline.ts';
import { type EntryWords, postingFacts, type ShownEntry, showEntry } from './shown-entry.ts';
import type { AttemptOf, CallbackOf, EventOf, IncidentOf, PostingOf } from './visit-entry.ts';

type Clean = (text: string) => string;
type Said = Omit<ShownEntry, 'at'>;

/**
 * Everything that happened, for the staff. Answers are stored without secrets. Bodies of callbacks are stored as they
 * came and may hold some, so the staff see only the fields that were read from them.
 */
export function showTimelineToStaff({ transfer, entries }: Timeline): readonly ShownEntry[] {
  const words = staffWords(transfer, hideNumber(transfer.phone, maskPhoneForStaff));
  return entries.map((entry) => showEntry(entry, words));
}

function staffWords(transfer: Transfer, clean: Clean): EntryWords {
  return {
    event: (event) => describeEvent(event, clean),
    attempt: (attempt) => describeAttempt(attempt, clean),
    callback: (callback) => describeCallback(callback, transfer, clean),
    posting: describePosting,
    incidentOpened: (incident) => describeIncidentOpened(incident, clean),
    incidentClosed: (incident) => describeIncidentClosed(incident, clean),
    proposed: (proposal) => describeProposal(proposal, clean),
    proposalEnded: (proposal) => describeProposalEnd(proposal, clean),
  };
}

function describeEvent({ from, state, cause, actor }: EventOf, clean: Clean): Said {
  return {
    kind: from === null ? 'created' : 'state',
    title: state,
    detail: clean(describeCause(cause)),
    actor: readActor(actor),
    facts: { from, state },
  };
}

/** `person:019a…` as it is stored with an event. */
function readActor(code: string): ShownEntry['actor'] {
  const [kind = '', ...rest] = code.split(':');
  const named = rest.join(':');
  const hasId = kind === 'person' || kind === 'key';
  return { kind, id: hasId ? named : null, name: hasId ? null : named };
}

function describeAttempt(attempt: AttemptOf, clean: Clean): Said {
  const { purpose, route, request, httpStatus, outcome, answer, elapsedMs } = attempt;
  const status = httpStatus === null ? 'no answer' : `HTTP ${httpStatus}`;
  const answered = purpose === 'callback' ? 'signed' : status;
  return {
    kind: 'attempt',
    title: `${purpose}: ${answered}, which means ${outcome}`,
    detail: answer === '' ? null : clean(answer),
    actor: null,
    facts: {
      operation: purpose,
      route,
      request: clean(request),
      outcome,
      httpStatus,
      code: httpStatus === null ? 'none' : String(httpStatus),
      meaning: outcome,
      elapsedMs,
    },
  };
}

function describeCallback(callback: CallbackOf, transfer: Transfer, clean: Clean): Said {
  const { route, method, reading, cause, claims, verified, handledAs } = callback;
  return {
    kind: 'callback',
    title: reading === 'read' ? `The operator says ${claims ?? 'nothing'}` : `Callback ${reading}`,
    detail: cause === null ? handledAs : clean(cause),
    actor: null,
    facts: {
      route,
      method,
      reading,
      claims,
      verified,
      handledAs,
      ...differencesOf(callback, transfer),
    },
  };
}

/** What a callback reports otherwise than it was sent; null: it says the same, or nothing. */
function differencesOf({ reported }: CallbackOf, sent: Transfer) {
  const { amountMinor, currency, phone } = reported;
  const isOtherAmount = amountMinor !== null && amountMinor !== sent.amountMinor;
  const isOtherNumber = phone !== null && phone !== sent.phone;
  return {
    reportedAmount: isOtherAmount ? formatMinor(amountMinor) : null,
    reportedCurrency: currency === sent.currency ? null : currency,
    reportedPhone: isOtherNumber ? maskPhoneForStaff(phone) : null,
  };
}

function describePosting(posting: PostingOf): Said {
  const facts = postingFacts(posting);
  return {
    kind: 'posting',
    title: `${facts.posting} ${facts.amount}`,
    detail: `from ${facts.from} to ${facts.to}`,
    actor: null,
    facts,
  };
}

function describeIncidentOpened({ id, kind, detail }: IncidentOf, clean: Clean): Said {
  return {
    kind: 'incident',
    title: `Incident opened: ${kind}`,
    detail: clean(detail),
    actor: null,
    facts: { incidentId: id, incident: kind },
  };
}

function describeIncidentClosed({ id, kind, detail, closed }: IncidentOf, clean: Clean): Said {
  return {
    kind: 'incident',
    title: `Incident closed: ${kind}`,
    detail: clean(closed?.note ?? detail),
    actor: personNamed(closed?.by),
    facts: { incidentId: id, incident: kind },
  };
}

function describeProposal(proposal: Proposal, clean: Clean): Said {
  const { evidence, proposedBy } = proposal;
  return {
    kind: 'person',
    title: `Proposed that ${describeResolution(proposal)}`,
    detail: clean(evidence),
    actor: { kind: 'person', id: proposedBy.id, name: proposedBy.name },
    facts: proposalFacts(proposal),
  };
}

function describeProposalEnd(proposal: Proposal, clean: Clean): Said {
  const { end } = proposal;
  const second = end?.secondEvidence ?? null;
  return {
    kind: 'person',
    title: `Proposal ${end?.as.replace('_', ' ') ?? 'ended'}`,
    detail: second === null ? null : clean(second),
    actor: personNamed(end?.by),
    facts: { ...proposalFacts(proposal), endedAs: end?.as ?? null },
  };
}

const proposalFacts = ({ id, decision, receipt }: Proposal) => ({
  proposalId: id,
  decision,
  receipt,
});

function personNamed(name: string | null | undefined): ShownEntry['actor'] {
  return typeof name === 'string' ? { kind: 'person', id: null, name } : null;
}
