import { Type } from 'typebox';
import { ACT_KINDS } from '../../acts/act.ts';
import { CURRENCIES } from '../../domain/money.ts';
import { FailingEndpoint } from './failing-endpoint-schema.ts';
import { PageCursor, PageLimit } from './page-schema.ts';
import { nullableText, words } from './plain-fields.ts';
import {
  Actor,
  count,
  countOrNull,
  factsOrNull,
  flag,
  list,
  Named,
  NamedOrNull,
  numberOrNull,
  orNull,
  shortText,
  text,
  time,
  timeOrNull,
  UnansweredCells,
} from './staff-fields.ts';

const StaffRoute = Type.Object(
  {
    name: text('The name of the route.'),
    connector: text('The connector that it uses.'),
    operators: list(
      Type.Object(
        { operator: text('The operator.'), country: text('Its country.') },
        { description: 'A pair.' },
      ),
      'What it pays; empty: nothing new any more, or the sandbox.',
    ),
    state: words(
      ['open', 'shut', 'held', 'closed'],
      'shut: the service stopped by itself. held, closed: a person did.',
    ),
    why: orNull('Why it is not open.'),
    by: orNull('Who holds or closed it.'),
    since: timeOrNull('Since when a person holds or closed it.'),
    used: count('What is under way on it now, in this process.'),
    limit: count('How much may be under way at once.'),
    queued: countOrNull('Transfers that wait for it; null: not known now.'),
    submitted1h: countOrNull('Submissions of the last hour; null: not known now.'),
    succeeded1h: countOrNull('Exchanges of the last hour that said paid; null: not known now.'),
    failed1h: countOrNull('Exchanges of the last hour that said refused; null: not known now.'),
    successRate: numberOrNull(
      'The share of paid in paid and refused, 0 to 1; null: there was none, or it is not known now.',
    ),
    medianMs: numberOrNull('Half of the submissions of the last hour took at most this long.'),
    p99Ms: numberOrNull('99 of 100 submissions of the last hour took at most this long.'),
    codes: list(
      Type.Object(
        {
          code: text('The HTTP status, or `none` where no answer came.'),
          meaning: text('What it was taken to mean.'),
          count: count('How often in the last hour.'),
        },
        { description: 'What the operator answered.' },
      ),
      'What the operator answered, the most frequent first.',
    ),
  },
  { $id: 'Route', description: 'A route, how it is and what it did in the last hour.' },
);

export const RouteList = Type.Object({
  items: list(StaffRoute, 'All routes of this process.'),
  unansweredCells: UnansweredCells,
});
export const ChangedRoute = Type.Object({
  name: text('The name of the route.'),
  state: words(['open', 'held', 'closed'], 'How people have it now.'),
});

const WaitingProposal = Type.Object(
  {
    id: text('The id of the proposal.'),
    kind: words(
      ['paid', 'not_paid', 'reversed', 'take_back'],
      'take_back: a funding is taken back. The others say what became of a transfer.',
    ),
    merchant: Named,
    mode: words(['test', 'live'], 'The mode of the book.'),
    transferId: orNull('The transfer; null: it is about a wallet.'),
    walletId: text('The wallet.'),
    amount: text('The amount of the transfer or of the funding, as decimal text.'),
    currency: words(CURRENCIES, 'Its currency.'),
    proposedBy: Named,
    expiresAt: time('Until when another person can confirm it.'),
  },
  { description: 'A proposal that waits for a second person.' },
);

export const StaffOverview = Type.Object({
  asOf: time('When this was read.'),
  doubts: Type.Object(
    {
      count: count('Transfers in doubt.'),
      oldestAt: timeOrNull(
        'When the oldest of them was accepted, was to be sent or was approved; null: there are none.',
      ),
      needPerson: count('Doubts that only a person can end.'),
    },
    { description: 'Transfers in doubt in live books.' },
  ),
  queues: list(
    Type.Object(
      {
        state: text('The state.'),
        mode: words(['test', 'live'], 'The mode of the books.'),
        count: count('How many are in it.'),
        oldestAt: time('When the oldest was accepted, was to be sent or was approved.'),
      },
      { description: 'Unfinished transfers.' },
    ),
    'Unfinished transfers by state.',
  ),
  incidents: Type.Object(
    { open: count('Open incidents of live books, and payments without a transfer.') },
    { description: 'Incidents.' },
  ),
  webhooks: Type.Object(
    {
      failing: list(FailingEndpoint, 'Endpoints of all books that do not take their events.'),
      more: flag('There are more than are listed.'),
    },
    { description: 'Webhooks.' },
  ),
  routes: list(StaffRoute, 'All routes of this process.'),
  days: list(
    Type.Object(
      {
        day: text('The day (UTC).'),
        paid: count('Transfers that were paid.'),
        failed: count('Transfers that failed.'),
        doubtsOpened: count('Doubts that began.'),
        doubtsEnded: count('Doubts that ended.'),
        medianMs: numberOrNull('Half of those paid took at most this long from order to end.'),
        p99Ms: numberOrNull('99 of 100 of those paid took at most this long.'),
        isPartial: flag('There were more transfers than are read for this.'),
      },
      { description: 'One day.' },
    ),
    'The last 14 days of live books, oldest first.',
  ),
  work: list(
    Type.Object(
      {
        kind: text('What it is, as a code.'),
        count: count('How much of it there is.'),
      },
      { description: 'Something that people should do.' },
    ),
    'What waits for people: doubts, incidents and webhooks of live books, floats and routes.',
  ),
  proposals: Type.Object(
    {
      items: list(WaitingProposal, 'What ends next comes first.'),
      more: flag('There are more than are listed.'),
    },
    { description: 'What one person proposed and waits for another one.' },
  ),
  unansweredCells: UnansweredCells,
});

export const AuditQuery = Type.Object({
  actor: Type.Optional(shortText('By this person, key or machine: an id or a name.')),
  kind: Type.Optional(words(ACT_KINDS, 'Of this kind.')),
  merchantId: Type.Optional(Type.String({ format: 'uuid', description: 'About this merchant.' })),
  subject: Type.Optional(
    shortText('About this thing: the id of a transfer, wallet or key, or a name.'),
  ),
  from: Type.Optional(time('At or after this time.')),
  to: Type.Optional(time('Before this time.')),
  limit: PageLimit,
  cursor: PageCursor,
});

export const AuditPage = Type.Object({
  items: list(
    Type.Object(
      {
        id: text('The id of the act.'),
        at: time('When it was done.'),
        actor: Actor,
        kind: text('What was done, as a code.'),
        subject: text('The id or the name of what was changed.'),
        merchant: NamedOrNull('Whose it is; null: no one merchant’s.'),
        bookId: orNull('In which book; null: in none, or in the whole merchant.'),
        reason: orNull('Why, in the words of the person.'),
        before: factsOrNull('What it was before; null: it was not there.'),
        after: factsOrNull('What it is after; null: it is no longer there.'),
      },
      { description: 'An act.' },
    ),
    'The acts of this page, newest first.',
  ),
  nextCursor: nullableText({ description: 'For the next page; null on the last.' }),
  unansweredCells: UnansweredCells,
});
