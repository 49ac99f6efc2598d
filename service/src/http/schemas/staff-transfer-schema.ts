import { Type } from 'typebox';
import { DOUBT_KINDS } from '../../domain/doubt-kind.ts';
import { OPERATORS } from '../../domain/operator.ts';
import { TRANSFER_STATES } from '../../domain/transfer-state.ts';
import { PageCursor, PageLimit } from './page-schema.ts';
import { nullableText, words } from './plain-fields.ts';
import {
  count,
  facts,
  flag,
  list,
  Named,
  objectOrNull,
  orNull,
  shortText,
  text,
  time,
  timeOrNull,
  UnansweredCells,
} from './staff-fields.ts';
import { TransferListQuery, TransferObject } from './transfer-schema.ts';

/** A transfer as the staff see it: with whose it is and by which route it goes, and its number masked. */
export const StaffTransfer = Type.Object(
  {
    ...TransferObject.properties,
    phone: Type.String({ description: 'Masked: POST reveal-phone shows it.' }),
    merchant: Named,
    bookId: text('The book that it is in.'),
    route: text('The route by which it goes or went.'),
    operatorReference: text('The reference under which the operator knows it.'),
  },
  { $id: 'StaffTransfer', description: 'A transfer as the staff see it, with whose it is.' },
);

export const StaffTransferQuery = Type.Object({
  merchantId: Type.Optional(Type.String({ format: 'uuid', description: 'Of this merchant.' })),
  mode: Type.Optional(words(['test', 'live'], 'In books of this mode.')),
  state: Type.Optional(words(TRANSFER_STATES, 'In this state.')),
  operator: Type.Optional(words(OPERATORS, 'To this operator.')),
  route: Type.Optional(shortText('By this route.')),
  reference: TransferListQuery.properties.reference,
  phone: Type.Optional(text('To this number, in any spelling.')),
  from: Type.Optional(time('Created at or after this time.')),
  to: Type.Optional(time('Created before this time.')),
  limit: PageLimit,
  cursor: PageCursor,
});

export const StaffTransferPage = Type.Object({
  items: list(StaffTransfer, 'The transfers of this page, newest first.'),
  nextCursor: nullableText({ description: 'For the next page; null on the last.' }),
  unansweredCells: UnansweredCells,
});

export const SearchQuery = Type.Object({
  q: Type.String({
    minLength: 1,
    maxLength: 100,
    description: 'An id, reference, operator reference, receipt or number.',
    examples: ['0977433571'],
  }),
});

export const StaffSearchResult = Type.Object({
  items: list(StaffTransfer, 'Up to 20 transfers, newest first.'),
  searched: Type.Object(
    {
      as: list(text('What it may be.'), 'What the text was looked for as.'),
      text: text('The text itself.'),
    },
    { description: 'What was looked for.' },
  ),
  more: flag('There are more than are listed.'),
  unansweredCells: UnansweredCells,
});

const ProposalFields = {
  decision: words(['paid', 'not_paid', 'reversed'], 'What a person says of the transfer.'),
  receipt: orNull("The operator's receipt; null unless it was paid."),
  evidence: text('What the person saw.'),
  by: Named,
  at: time('When it was proposed.'),
  expiresAt: time('Until when another person can confirm it.'),
};

const OpenProposal = objectOrNull(
  ProposalFields,
  'What waits for a second person; null: nothing does.',
);

const Proposal = Type.Object(
  {
    id: text('The id of the proposal.'),
    ...ProposalFields,
    end: objectOrNull(
      {
        at: time('When it ended.'),
        as: words(['carried_out', 'withdrawn', 'expired', 'superseded'], 'How it ended.'),
        by: orNull('The name of who ended it; null: it ended by itself.'),
        evidence: orNull('What the second person saw.'),
      },
      'How it ended; null: it is open.',
    ),
  },
  { $id: 'Proposal', description: 'What a person proposed, and what became of it.' },
);

const TimelineEntry = Type.Object(
  {
    at: time('When it happened.'),
    kind: words(
      ['created', 'state', 'attempt', 'callback', 'posting', 'webhook', 'person', 'incident'],
      'What it is.',
    ),
    title: text('What happened, in a few words.'),
    detail: orNull('The rest of it.'),
    actor: objectOrNull(
      {
        kind: text('What acted.'),
        id: orNull('Its id, where it has one.'),
        name: orNull('Its name, where it is known.'),
      },
      'Who did it; null: the operator, or it is not known.',
    ),
    facts: facts('What belongs to this kind, such as outcome and httpStatus of an attempt.'),
  },
  { description: 'One thing that happened.' },
);

export const TransferDossier = Type.Object({
  transfer: StaffTransfer,
  why: Type.Object(
    {
      line: text('Why it is where it is, in one line.'),
      next: timeOrNull('When the service acts on it next; null: it does not by itself.'),
      action: orNull('What a person can do; null: nothing is needed.'),
    },
    { description: 'Why it waits.' },
  ),
  entries: list(TimelineEntry, 'Everything that happened to it, oldest first.'),
  earlier: list(StaffTransfer, 'Up to 5 earlier transfers to the same number in its book.'),
  evidence: Type.Object(
    {
      checks: count('How often its operator was asked.'),
      lastCheckedAt: timeOrNull('When it was asked last.'),
      lastAnswer: orNull('What the last exchange was taken to mean.'),
      resubmissions: count('How often the same order was submitted again.'),
      contradictions: list(text('A point.'), 'Where an answer told otherwise than was sent.'),
      receipt: orNull("The operator's receipt."),
      doubtKind: orNull('Why it is in doubt; null: it is not.'),
      needsPerson: flag('Whether only a person can end it.'),
      resubmissionAt: timeOrNull(
        'The earliest time of a resubmission; null: none follows by itself.',
      ),
    },
    { description: 'What a decision can rest on.' },
  ),
  proposals: list(Proposal, 'All that was ever proposed, oldest first.'),
  proposal: OpenProposal,
  seen: text(
    'Names what is shown here. Send it with a decision: it is refused if this has changed.',
  ),
});

export const RevealedPhone = Type.Object({
  phone: Type.String({ description: 'In E.164. That you saw it is on record.' }),
});

const Doubt = Type.Object(
  {
    transfer: StaffTransfer,
    merchant: Named,
    mode: words(['test', 'live'], 'The mode of its book.'),
    since: time('Since when it is in doubt.'),
    kind: words(DOUBT_KINDS, 'Why it is in doubt, as a code.'),
    why: text('The same in a sentence.'),
    whatToDo: text('What to do about it.'),
    checks: count('How often its operator was asked.'),
    lastCheckedAt: timeOrNull('When it was asked last.'),
    lastAnswer: orNull('What the last exchange was taken to mean; null: none was kept.'),
    nextCheckAt: timeOrNull('When it is asked next; null: it waits for a person.'),
    needsPerson: flag('Whether only a person can end it.'),
    proposal: OpenProposal,
  },
  { description: 'A transfer of which it is not known whether money moved.' },
);

export const DoubtQuery = Type.Object({
  merchantId: Type.Optional(Type.String({ format: 'uuid', description: 'Of this merchant.' })),
  mode: Type.Optional(words(['test', 'live'], 'In books of this mode.')),
  operator: Type.Optional(words(OPERATORS, 'To this operator.')),
  kind: Type.Optional(words(DOUBT_KINDS, 'Of this kind.')),
  needsPerson: Type.Optional(words(['true'], 'Only doubts that need a person.')),
});

export const DoubtList = Type.Object({
  items: list(Doubt, 'The oldest first.'),
  more: flag('There are more than are listed.'),
  unansweredCells: UnansweredCells,
});

export const Inquiry = Type.Object({
  outcome: text('What the answer means, as a code.'),
  answer: objectOrNull(
    {
      request: text('What was asked.'),
      httpStatus: Type.Unsafe<number | null>({
        type: ['integer', 'null'],
        description: 'Null: no answer came.',
      }),
      text: text('The answer without secrets and with the number masked.'),
      elapsedMs: Type.Number({ description: 'How long it took.' }),
      cause: orNull('Why it is taken to mean that.'),
    },
    'The exchange; null: nothing went over the wire, as in a test book.',
  ),
  transfer: StaffTransfer,
});

export const OptionalReason = Type.Optional(
  nullableText({ minLength: 1, maxLength: 500, description: 'Why, for the record.' }),
);

export const OptionalReasonBody = Type.Object(
  { reason: OptionalReason },
  { additionalProperties: false },
);

const Seen = Type.Optional(
  nullableText({
    maxLength: 100,
    description:
      'The `seen` of the transfer that you looked at. If it is another now, the answer is 409 `CONTENT_CHANGED`, and nothing is changed.',
  }),
);

export const ResolveBody = Type.Object(
  {
    decision: ProposalFields.decision,
    receipt: Type.Optional(
      nullableText({ maxLength: 100, description: "The operator's receipt: only if it was paid." }),
    ),
    evidence: Type.String({
      minLength: 1,
      maxLength: 500,
      description: 'What you saw, and where.',
    }),
    seen: Seen,
  },
  {
    additionalProperties: false,
    examples: [
      { decision: 'not_paid', evidence: 'MTN support, ticket 4711: no order with this reference' },
    ],
  },
);

export const Resolved = Type.Object({
  result: words(['proposed', 'confirmed'], 'Whether it waits for a second person or is done.'),
  transfer: StaffTransfer,
  proposal: Proposal,
});

export const WithdrawBody = Type.Object(
  { reason: OptionalReason, seen: Seen },
  { additionalProperties: false },
);

export const Withdrawn = Type.Object({ transfer: StaffTransfer, proposal: Proposal });

export const ReasonBody = Type.Object(
  {
    reason: Type.String({
      minLength: 1,
      maxLength: 500,
      description: 'Why, for the record.',
      examples: ['Asked for by the merchant, ticket 4711'],
    }),
  },
  { additionalProperties: false },
);
