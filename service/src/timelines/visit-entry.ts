import type { Proposal } from '../resolutions/proposal.ts';
import type { TimelineEntry } from './read-timeline.ts';

export type EventOf = Extract<TimelineEntry, { sort: 'event' }>['event'];
export type AttemptOf = Extract<TimelineEntry, { sort: 'attempt' }>['attempt'];
export type CallbackOf = Extract<TimelineEntry, { sort: 'callback' }>['callback'];
export type PostingOf = Extract<TimelineEntry, { sort: 'posting' }>['posting'];
export type IncidentOf = Extract<
  TimelineEntry,
  { sort: 'incident opened' | 'incident closed' }
>['incident'];

/** How one reader is shown each sort of entry: a merchant, the staff, or an administrator's terminal. */
export type EntryVisitor<Shown> = Readonly<{
  event: (event: EventOf) => Shown;
  attempt: (attempt: AttemptOf) => Shown;
  callback: (callback: CallbackOf) => Shown;
  posting: (posting: PostingOf) => Shown;
  incidentOpened: (incident: IncidentOf) => Shown;
  incidentClosed: (incident: IncidentOf) => Shown;
  proposed: (proposal: Proposal) => Shown;
  proposalEnded: (proposal: Proposal) => Shown;
}>;

export function visitEntry<Shown>(entry: TimelineEntry, visitor: EntryVisitor<Shown>): Shown {
  switch (entry.sort) {
    case 'event':
      return visitor.event(entry.event);
    case 'attempt':
      return visitor.attempt(entry.attempt);
    case 'callback':
      return visitor.callback(entry.callback);
    case 'posting':
      return visitor.posting(entry.posting);
    case 'incident opened':
      return visitor.incidentOpened(entry.incident);
    case 'incident closed':
      return visitor.incidentClosed(entry.incident);
    case 'proposed':
      return visitor.proposed(entry.proposal);
    case 'proposal ended':
      return visitor.proposalEnded(entry.proposal);
    default: {
      const unhandled: never = entry;
      throw new Error(`unhandled ${JSON.stringify(unhandled)}`);
    }
  }
}
