import { formatMinor } from '../domain/money.ts';
import { describeResolution, type Proposal } from '../resolutions/proposal.ts';
import type { TimelineEntry } from '../timelines/read-timeline.ts';
import {
  type AttemptOf,
  type CallbackOf,
  type EventOf,
  visitEntry,
} from '../timelines/visit-entry.ts';
import { bodyOf, type Clean } from './clean-timeline.ts';
import { formatTime } from './format-table.ts';

const INDENT = '  ';

/** A line of the timeline, and the raw text that belongs below it. */
type Line = Readonly<{ at: Date; text: string; raw: string | null }>;

/** The timeline as text. Equal lines in a row, such as a hundred inquiries without news, become one with a count. */
export function describeTimeline(entries: readonly TimelineEntry[], clean: Clean): string {
  const lines = entries.map((entry) => toLine(entry, clean));
  const grouped: { line: Line; last: Date; times: number }[] = [];
  for (const line of lines) {
    const before = grouped.at(-1);
    if (before !== undefined && before.line.text === line.text && before.line.raw === line.raw) {
      before.last = line.at;
      before.times += 1;
    } else grouped.push({ line, last: line.at, times: 1 });
  }
  return grouped
    .map(({ line, last, times }) => {
      const repeated = times === 1 ? '' : ` (${times} times, the last at ${formatTime(last)})`;
      const raw = line.raw === null ? '' : `\n${INDENT}${INDENT}${line.raw}`;
      return `${INDENT}${formatTime(line.at)}  ${line.text}${repeated}${raw}`;
    })
    .join('\n');
}

type Said = Omit<Line, 'at'>;

function toLine(entry: TimelineEntry, clean: Clean): Line {
  const plain = (text: string): Said => ({ text: clean(text), raw: null });
  const said = visitEntry<Said>(entry, {
    event: (event) => plain(describeEvent(event)),
    attempt: (attempt) => describeAttempt(attempt, clean),
    callback: (callback) => describeCallback(callback, clean),
    posting: ({ kind, amountMinor, fromAccount: from, toAccount: to }) => ({
      text: `posting: ${kind} ${formatMinor(amountMinor)} from ${from} to ${to}`,
      raw: null,
    }),
    incidentOpened: ({ kind, detail }) => plain(`INCIDENT ${kind}: ${detail}`),
    incidentClosed: ({ kind, closed }) =>
      plain(`incident ${kind} closed by ${closed?.by ?? ''}: ${closed?.note ?? ''}`),
    proposed: (proposal) => plain(describeProposal(proposal)),
    proposalEnded: (proposal) => plain(describeEnd(proposal)),
  });
  return { at: entry.at, ...said };
}

function describeEvent({ from, state, cause, actor }: EventOf): string {
  const way = from === null ? state : `${from} → ${state}`;
  return `${way}: ${cause} (${actor})`;
}

function describeAttempt(attempt: AttemptOf, clean: Clean): Said {
  const { purpose, route, request, httpStatus, outcome } = attempt;
  const raw = attempt.answer === '' ? null : clean(attempt.answer, { route });
  if (purpose === 'callback') {
    return { text: clean(`answer by ${route}: ${request}, which means ${outcome}`), raw };
  }
  const answered = httpStatus === null ? 'no answer' : `HTTP ${httpStatus}`;
  const did = purpose === 'resubmit' ? 'submit again' : purpose;
  const text = `${did} by ${route}: ${request}, ${answered}, which means ${outcome}`;
  return { text: clean(text), raw };
}

function describeCallback(callback: CallbackOf, clean: Clean): Said {
  const { route, method, reading, cause, claims, verified, handledAs } = callback;
  const says = reading === 'read' ? `says ${claims ?? 'nothing'}` : `${reading}: ${cause ?? ''}`;
  const trust = verified ? 'signed' : 'not signed';
  const handled = handledAs === null ? 'not acted on yet' : (HANDLED_AS[handledAs] ?? handledAs);
  const text = `callback by ${route}: ${method}, ${says}, ${trust}; ${handled}`;
  const body = bodyOf(callback);
  return { text: clean(text), raw: body === '' ? null : clean(body, { route }) };
}

/** Callbacks that an older version handled have the words themselves. */
const HANDLED_AS: Readonly<Record<string, string>> = {
  INQUIRED: 'an inquiry followed',
  TAKEN_AS_ANSWER: 'taken as the answer to an inquiry',
  NOTHING_NEW: 'says nothing new',
  CONTRADICTS_END: 'contradicts the end',
  UNMATCHED: 'matches no transfer',
  OF_OTHER_OPERATOR: 'is of another operator',
  NOT_SENT_YET: 'came before it was sent',
  PAID_BEFORE_SENT: 'says that it was paid before it was sent',
  PAID_AFTER_CANCELLATION: 'says that it was paid, and it was cancelled',
  PAID_AFTER_FAILURE: 'says that it was paid, and it failed at another operator',
  PAID_BY_OTHER_OPERATOR: 'says that it was paid, and it was sent to another operator',
};

export function describeProposal(proposal: Proposal): string {
  const { proposedBy, evidence, expiresAt } = proposal;
  return `${proposedBy.name} proposes that ${describeResolution(proposal)}: ${evidence} (until ${formatTime(expiresAt)})`;
}

function describeEnd({ end }: Proposal): string {
  if (end === null) return 'the proposal is open';
  const by = end.by ?? 'the service';
  switch (end.as) {
    case 'carried_out':
      return `${by} confirms it: ${end.secondEvidence ?? ''}`;
    case 'withdrawn':
      return `${by} withdraws the proposal`;
    case 'expired':
      return 'no second person confirmed the proposal in time';
    case 'superseded':
      return 'the proposal was superseded: the transfer changed';
    default: {
      const unhandled: never = end.as;
      throw new Error(`unhandled ${String(unhandled)}`);
    }
  }
}
