import { plural } from '../plural.ts';

const incidentCount = (count: number) => plural(count, { one: 'incident', other: 'incidents' });

export const incidents = {
  intro:
    'Something contradicts what is recorded. An incident moves no money by itself: find out what is true, mend it, then close it with a note.',
  which: 'Which incidents',
  tabs: { open: 'Open', closed: 'Closed' },
  caption: { open: 'Open incidents, oldest first', closed: 'Closed incidents, last closed first' },
  order: { open: 'Oldest first', closed: 'Last closed first' },
  what: 'What contradicts',
  about: 'Transfer and merchant',
  route: 'Route',
  opened: 'Open for',
  closed: 'Closed',
  note: 'What became of it',
  act: 'Action',
  count: incidentCount,
  more: 'There are more than 500. Close some to see the others.',
  kinds: {
    paid_before_sent: 'Paid before it was sent',
    paid_by_other_operator: 'Paid by another operator',
    paid_without_transfer: 'Paid without a transfer',
  } as Readonly<Record<string, string>>,
  close: 'Close…',
  closeOne: (kind: string) => `Close… the incident ${kind}`,
  closeTitle: 'Close this incident',
  closeAct: 'Close the incident',
  closeDetail: 'It moves no money and changes no transfer. It stays on record with your note.',
  closeSends:
    'While it is open, no other route sends the transfer. Once it is closed, one may, unless its merchant has cancelled it.',
  noteLabel: 'What became of it',
  noteHelp: 'What was true, what you did, and where it is proved.',
  noteFirst: 'Say what became of it first',
  closedNow: 'Closed.',
  closedBy: (name: string) => `by ${name}`,
  empty: 'No open incidents',
  emptyDetail:
    'When an operator contradicts itself or what we sent, it is written down here and a person looks at it.',
  emptyClosed: 'No incident was closed yet',
  emptyClosedDetail: 'Closed incidents stay here with the note of who closed them.',
  one: 'incident',
  other: 'incidents',
} as const;
