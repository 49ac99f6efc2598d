import { readProposers } from '../acts/is-proposal-void.ts';
import { describeIncident } from '../domain/incident.ts';
import type { Transfer } from '../domain/transfer.ts';
import type { Queryable, Statement } from '../postgres/database.ts';
import { listProposals, type Proposal } from '../resolutions/proposal.ts';
import { readOperatorAnswers } from '../resolutions/read-operator-answers.ts';
import { whyStale } from '../resolutions/why-stale.ts';
import { type FoundTransfer, findAnyTransfer } from '../transfers/read/find-any-transfer.ts';
import {
  type KeptAttempt,
  type KeptCallback,
  readCallbacks,
  readExchanges,
} from '../transfers/read/read-exchanges.ts';
import { type HistoryEntry, readHistory } from '../transfers/read/read-history.ts';
import {
  readTransferPostings,
  type TransferPosting,
} from '../transfers/read/read-transfer-postings.ts';

/** Of each sort. The schedule of doubt has about a hundred inquiries. */
const ENTRIES_MAX = 500;

type IncidentNote = Readonly<{
  id: string;
  kind: string;
  detail: string;
  openedAt: Date;
  closed: Readonly<{ at: Date; by: string; note: string }> | null;
}>;

/** One thing that happened to a transfer. */
export type TimelineEntry = Readonly<{ at: Date }> &
  (
    | Readonly<{ sort: 'attempt'; attempt: KeptAttempt }>
    | Readonly<{ sort: 'callback'; callback: KeptCallback }>
    | Readonly<{ sort: 'event'; event: HistoryEntry }>
    | Readonly<{ sort: 'posting'; posting: TransferPosting }>
    | Readonly<{ sort: 'incident opened' | 'incident closed'; incident: IncidentNote }>
    | Readonly<{ sort: 'proposed' | 'proposal ended'; proposal: Proposal }>
  );

export type Timeline = FoundTransfer &
  Readonly<{
    entries: readonly TimelineEntry[];
    /** What waits for a second administrator. */
    openProposal: Proposal | null;
  }>;

/** What comes first of two things that are recorded at the same moment: the cause. */
const ORDER: readonly TimelineEntry['sort'][] = [
  'proposed',
  'attempt',
  'callback',
  'event',
  'posting',
  'proposal ended',
  'incident opened',
  'incident closed',
];

/** Everything that is known of a transfer, in the order of time. */
export async function readTimeline(
  database: Queryable,
  request: Readonly<{ id: string; now: Date; directory: Queryable }>,
): Promise<Timeline> {
  const found = await findAnyTransfer(database, request.id);
  const { bookId, id: transferId } = found.transfer;
  const proposals = await listProposals(database, { bookId, transferId, max: ENTRIES_MAX });
  const entries = [
    ...(await readEntries(database, found.transfer)),
    ...proposals.flatMap(proposalEntries),
  ];
  const open = proposals.find(({ end }) => end === null);
  const openProposal =
    open !== undefined && (await canBeConfirmed(database, { ...request, open, found }))
      ? open
      : null;
  return { ...found, entries: entries.sort(byTime), openProposal };
}

/** Stable, so that what is equal in both keeps the order it was read in. */
function byTime(a: TimelineEntry, b: TimelineEntry): number {
  return a.at.getTime() - b.at.getTime() || ORDER.indexOf(a.sort) - ORDER.indexOf(b.sort);
}

/** What happened to a transfer, oldest first, without what people proposed, which the service itself may not read. */
export async function readEntries(
  database: Queryable,
  transfer: Transfer,
): Promise<readonly TimelineEntry[]> {
  const { bookId, id, walletId, operatorReference } = transfer;
  const about = { bookId, transferId: id, max: ENTRIES_MAX };
  const history = await readHistory(database, { bookId, id });
  const times = history.map(({ at }) => at);
  const postings = await readTransferPostings(database, {
    bookId,
    walletId,
    transferId: id,
    times,
  });
  const entries: TimelineEntry[] = [
    ...history.map((event) => ({ at: event.at, sort: 'event', event }) as const),
    ...postings.map((posting) => ({ at: posting.at, sort: 'posting', posting }) as const),
    ...(await readExchanges(database, about)).map(
      (attempt) => ({ at: attempt.at, sort: 'attempt', attempt }) as const,
    ),
    ...(await readCallbacks(database, { operatorReference, max: ENTRIES_MAX })).map(
      (callback) => ({ at: callback.at, sort: 'callback', callback }) as const,
    ),
    ...(await readIncidents(database, about)).flatMap(incidentEntries),
  ];
  return entries.sort(byTime);
}

/** A proposal ends when people next decide; until then what made it worthless is no end that is stored. */
async function canBeConfirmed(
  database: Queryable,
  {
    open,
    found,
    now,
    directory,
  }: Readonly<{ open: Proposal; found: FoundTransfer; now: Date; directory: Queryable }>,
): Promise<boolean> {
  const answers = await readOperatorAnswers(database, found.transfer);
  const proposers = await readProposers(directory);
  return (await whyStale(database, { open, found, answers, now, proposers })) === null;
}

function incidentEntries(incident: IncidentNote): TimelineEntry[] {
  const opened = { at: incident.openedAt, sort: 'incident opened', incident } as const;
  const { closed } = incident;
  return closed === null
    ? [opened]
    : [opened, { ...opened, at: closed.at, sort: 'incident closed' }];
}

function proposalEntries(proposal: Proposal): TimelineEntry[] {
  const made = { at: proposal.proposedAt, sort: 'proposed', proposal } as const;
  const { end } = proposal;
  return end === null ? [made] : [made, { ...made, at: end.at, sort: 'proposal ended' }];
}

async function readIncidents(
  database: Queryable,
  about: Readonly<{ bookId: string; transferId: string; max: number }>,
): Promise<readonly IncidentNote[]> {
  const values = [about.bookId, about.transferId, about.max];
  const rows = await database.query<IncidentRow>(INCIDENTS, values);
  return rows.map(({ id, kind, detail, opened_at, closed_at: at, closed_by: by, note }) => ({
    id,
    kind,
    detail: describeIncident(kind, detail),
    openedAt: opened_at,
    closed: at === null || by === null || note === null ? null : { at, by, note },
  }));
}

type IncidentRow = {
  id: string;
  kind: string;
  detail: string | null;
  opened_at: Date;
  closed_at: Date | null;
  closed_by: string | null;
  note: string | null;
};

const INCIDENTS: Statement = {
  name: '',
  text: `
    select i.id, i.kind, i.detail, i.opened_at, i.closed_at, i.closed_by, i.note
    from incidents i
    where i.book_id = $1 and i.transfer_id = $2
    order by i.opened_at, i.id
    limit $3`,
};
