import { describeCause } from '../../domain/cause.ts';
import { hideNumber } from '../../domain/hide-number.ts';
import { formatMinor } from '../../domain/money.ts';
import { maskPhoneForStaff } from '../../domain/phone-number.ts';
import { describeDecision } from '../../resolutions/proposal.ts';
import type { Timeline, TimelineEntry } from '../../resolutions/read-timeline.ts';

type Clean = (text: string) => string;

export type ShownEntry = Readonly<{
  at: string;
  kind: 'created' | 'state' | 'attempt' | 'callback' | 'posting' | 'person' | 'incident';
  title: string;
  detail: string | null;
  actor: Readonly<{ kind: string; id: string | null; name: string | null }> | null;
  facts: Readonly<Record<string, unknown>>;
}>;

/**
 * Everything that happened, for the staff. Secrets were taken out of answers before they were stored; bodies of
 * callbacks are stored as they came, so only what was read from them is shown.
 */
export function renderTimeline({ transfer, entries }: Timeline): readonly ShownEntry[] {
  const clean = hideNumber(transfer.phone, maskPhoneForStaff);
  return entries.map((entry) => ({ at: entry.at.toISOString(), ...render(entry, clean) }));
}

function render(entry: TimelineEntry, clean: Clean): Omit<ShownEntry, 'at'> {
  switch (entry.sort) {
    case 'event':
      return renderEvent(entry.event, clean);
    case 'attempt':
      return renderAttempt(entry.attempt, clean);
    case 'callback':
      return renderCallback(entry.callback, clean);
    case 'posting': {
      const { kind, amountMinor, fromAccount, toAccount, sequence } = entry.posting;
      const amount = formatMinor(amountMinor);
      const facts = { posting: kind, amount, from: fromAccount, to: toAccount };
      return {
        kind: 'posting',
        title: `${kind} ${amount}`,
        detail: `from ${fromAccount} to ${toAccount}`,
        actor: null,
        facts: { ...facts, sequence: Number(sequence) },
      };
    }
    case 'incident opened':
      return renderIncident(entry.incident, { title: 'Incident opened', by: null }, clean);
    case 'incident closed': {
      const by = entry.incident.closed?.by ?? null;
      return renderIncident(entry.incident, { title: 'Incident closed', by }, clean);
    }
    case 'proposed':
    case 'proposal ended':
      return renderProposed(entry, clean);
    default: {
      const unhandled: never = entry;
      throw new Error(`unhandled ${JSON.stringify(unhandled)}`);
    }
  }
}

type Of<Sort extends TimelineEntry['sort']> = Extract<TimelineEntry, { sort: Sort }>;

function renderEvent({ from, state, cause, actor }: Of<'event'>['event'], clean: Clean) {
  return {
    kind: from === null ? 'created' : 'state',
    title: state,
    detail: clean(describeCause(cause)),
    actor: readActor(actor),
    facts: { from, state },
  } as const;
}

/** `person:019a…` as it is stored with an event. */
function readActor(code: string): ShownEntry['actor'] {
  const [kind = '', ...rest] = code.split(':');
  const named = rest.join(':');
  const hasId = kind === 'person' || kind === 'key';
  return { kind, id: hasId ? named : null, name: hasId ? null : named };
}

function renderAttempt(attempt: Of<'attempt'>['attempt'], clean: Clean) {
  const { purpose, route, request, httpStatus, outcome, answer, elapsedMs } = attempt;
  const answered = httpStatus === null ? 'no answer' : `HTTP ${httpStatus}`;
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
  } as const;
}

function renderCallback(callback: Of<'callback'>['callback'], clean: Clean) {
  const { route, method, reading, cause, claims, verified, handledAs } = callback;
  return {
    kind: 'callback',
    title: reading === 'read' ? `The operator says ${claims ?? 'nothing'}` : `Callback ${reading}`,
    detail: cause === null ? handledAs : clean(cause),
    actor: null,
    facts: { route, method, reading, claims, verified, handledAs },
  } as const;
}

function renderIncident(
  incident: Of<'incident opened' | 'incident closed'>['incident'],
  { title, by }: Readonly<{ title: string; by: string | null }>,
  clean: Clean,
) {
  const { id, kind, detail, closed } = incident;
  return {
    kind: 'incident',
    title: `${title}: ${kind}`,
    detail: clean(by === null ? detail : (closed?.note ?? '')),
    actor: by === null ? null : { kind: 'person', id: null, name: by },
    facts: { incidentId: id, incident: kind },
  } as const;
}

function renderProposed({ sort, proposal }: Of<'proposed' | 'proposal ended'>, clean: Clean) {
  const { decision, receipt, evidence, proposedBy, end } = proposal;
  const facts = { proposalId: proposal.id, decision, receipt };
  if (sort === 'proposed') {
    return {
      kind: 'person',
      title: `Proposed that ${describeDecision(proposal)}`,
      detail: clean(evidence),
      actor: { kind: 'person', id: proposedBy.id, name: proposedBy.name },
      facts,
    } as const;
  }
  const by = end?.by ?? null;
  const second = end?.secondEvidence ?? null;
  return {
    kind: 'person',
    title: `Proposal ${end?.as.replace('_', ' ') ?? 'ended'}`,
    detail: second === null ? null : clean(second),
    actor: by === null ? null : { kind: 'person', id: null, name: by },
    facts: { ...facts, endedAs: end?.as ?? null },
  } as const;
}
