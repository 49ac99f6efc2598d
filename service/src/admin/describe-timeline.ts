import { formatMinor } from '../domain/money.ts';
import { describeDecision, type Proposal } from '../resolutions/proposal.ts';
import type { TimelineEntry } from '../resolutions/read-timeline.ts';
import { bodyOf, type Clean } from './clean-timeline.ts';
import { formatTime } from './format-table.ts';

const INDENT = '  ';

/** A line of the timeline, and the raw text that belongs below it. */
type Line = Readonly<{ at: Date; text: string; raw: string | null }>;

/** The timeline for people: repeated answers of a patient schedule are told once, with their count. */
export function describeTimeline(entries: readonly TimelineEntry[], clean: Clean): string {
  const lines = entries.map((entry) => toLine(entry, clean));
  const told: { line: Line; last: Date; times: number }[] = [];
  for (const line of lines) {
    const before = told.at(-1);
    if (before !== undefined && before.line.text === line.text && before.line.raw === line.raw) {
      before.last = line.at;
      before.times += 1;
    } else told.push({ line, last: line.at, times: 1 });
  }
  return told
    .map(({ line, last, times }) => {
      const repeated = times === 1 ? '' : ` (${times} times, the last at ${formatTime(last)})`;
      const raw = line.raw === null ? '' : `\n${INDENT}${INDENT}${line.raw}`;
      return `${INDENT}${formatTime(line.at)}  ${line.text}${repeated}${raw}`;
    })
    .join('\n');
}

function toLine(entry: TimelineEntry, clean: Clean): Line {
  const { at } = entry;
  switch (entry.sort) {
    case 'event':
      return { at, text: clean(describeEvent(entry.event)), raw: null };
    case 'attempt':
      return { at, ...describeAttempt(entry.attempt, clean) };
    case 'callback':
      return { at, text: clean(describeCallback(entry.callback)), raw: rawOf(entry, clean) };
    case 'posting': {
      const { kind, amountMinor, fromAccount, toAccount } = entry.posting;
      const text = `posting: ${kind} ${formatMinor(amountMinor)} from ${fromAccount} to ${toAccount}`;
      return { at, text, raw: null };
    }
    case 'incident opened':
      return {
        at,
        text: clean(`INCIDENT ${entry.incident.kind}: ${entry.incident.detail}`),
        raw: null,
      };
    case 'incident closed': {
      const { kind, closed } = entry.incident;
      const text = `incident ${kind} closed by ${closed?.by ?? ''}: ${closed?.note ?? ''}`;
      return { at, text: clean(text), raw: null };
    }
    case 'proposed':
      return { at, text: clean(describeProposal(entry.proposal)), raw: null };
    case 'proposal ended':
      return { at, text: clean(describeEnd(entry.proposal)), raw: null };
    default: {
      const unhandled: never = entry;
      throw new Error(`unhandled ${JSON.stringify(unhandled)}`);
    }
  }
}

type EventOf = Extract<TimelineEntry, { sort: 'event' }>['event'];
type AttemptOf = Extract<TimelineEntry, { sort: 'attempt' }>['attempt'];
type CallbackOf = Extract<TimelineEntry, { sort: 'callback' }>['callback'];

function describeEvent({ from, state, cause, actor }: EventOf): string {
  const way = from === null ? state : `${from} → ${state}`;
  return `${way}: ${cause} (${actor})`;
}

function describeAttempt(attempt: AttemptOf, clean: Clean): Pick<Line, 'text' | 'raw'> {
  const { purpose, route, request, httpStatus, outcome } = attempt;
  const answered = httpStatus === null ? 'no answer' : `HTTP ${httpStatus}`;
  const did = purpose === 'resubmit' ? 'submit again' : purpose;
  const text = `${did} by ${route}: ${request}, ${answered}, which means ${outcome}`;
  const raw = attempt.answer === '' ? null : clean(attempt.answer, { route });
  return { text: clean(text), raw };
}

function describeCallback(callback: CallbackOf): string {
  const { route, method, reading, cause, claims, verified, handledAs } = callback;
  const says = reading === 'read' ? `says ${claims ?? 'nothing'}` : `${reading}: ${cause ?? ''}`;
  const trust = verified ? 'signed' : 'not signed';
  const handled = handledAs === null ? 'not acted on yet' : (HANDLED_AS[handledAs] ?? handledAs);
  return `callback by ${route}: ${method}, ${says}, ${trust}; ${handled}`;
}

/** Callbacks that an older version handled have the words themselves. */
const HANDLED_AS: Readonly<Record<string, string>> = {
  INQUIRED: 'an inquiry followed',
  NOTHING_NEW: 'says nothing new',
  CONTRADICTS_END: 'contradicts the end',
  UNMATCHED: 'matches no transfer',
  OF_OTHER_OPERATOR: 'is of another operator',
  NOT_SENT_YET: 'came before it was sent',
};

function rawOf(entry: TimelineEntry & { sort: 'callback' }, clean: Clean): string | null {
  const body = bodyOf(entry);
  return body === '' ? null : clean(body, { route: entry.callback.route });
}

export function describeProposal(proposal: Proposal): string {
  const { proposedBy, evidence, expiresAt } = proposal;
  return `${proposedBy.name} proposes that ${describeDecision(proposal)}: ${evidence} (until ${formatTime(expiresAt)})`;
}

function describeEnd({ end }: Proposal): string {
  if (end === null) return 'the proposal is open';
  const by = end.by ?? 'nobody';
  switch (end.as) {
    case 'carried_out':
      return `${by} confirms it: ${end.secondEvidence ?? ''}`;
    case 'withdrawn':
      return `${by} withdraws the proposal`;
    case 'expired':
      return 'nobody confirmed the proposal in time';
    case 'superseded':
      return 'the proposal was superseded: the transfer changed';
    default: {
      const unhandled: never = end.as;
      throw new Error(`unhandled ${String(unhandled)}`);
    }
  }
}
