import { Type } from 'typebox';
import { LISTS } from '../../lists/list-entry.ts';
import { PageCursor, PageLimit } from './page-schema.ts';
import { nullableText, optionalOrNull, words } from './plain-fields.ts';
import { flag, Named, NamedOrNull, time, timeOrNull } from './staff-fields.ts';
import { CountryWord } from './transfer-schema.ts';

export const ENTRY_REASON_LENGTH_MAX = 500;

const ListWord = words(
  LISTS,
  'A number on the deny list is never paid. The allow list only means something to rules that ask for it.',
);
const Reason = Type.String({
  minLength: 1,
  maxLength: ENTRY_REASON_LENGTH_MAX,
  description: 'Why. People who look at it later read this.',
  examples: ['Reported stolen on 14 November'],
});
const phoneFields = {
  phone: Type.String({
    description:
      'In any spelling that means one mobile number. Without a country give it with the calling code.',
    examples: ['+260977433571'],
  }),
  country: optionalOrNull(CountryWord),
};
const ExpiresAt = optionalOrNull(
  Type.String({ format: 'date-time', description: 'When it ends by itself. Left out: never.' }),
);

export const EntryBody = Type.Object(
  { list: ListWord, ...phoneFields, reason: Reason, expiresAt: ExpiresAt },
  { additionalProperties: false },
);

/** The company has a deny list only. */
export const CompanyEntryBody = Type.Object(
  { ...phoneFields, reason: Reason, expiresAt: ExpiresAt },
  { additionalProperties: false },
);

export const EndEntryBody = Type.Object({ reason: Reason }, { additionalProperties: false });

export const EntryObject = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'Our id of the entry.' }),
    list: ListWord,
    phone: Type.String({ description: 'In E.164.', examples: ['+260977433571'] }),
    reason: Reason,
    author: { ...Named, description: 'Who added it, by the name at that time.' },
    createdAt: time('When it was added.'),
    expiresAt: timeOrNull('When it ends by itself; null: never.'),
    endedAt: timeOrNull('When a person ended it; null: none did.'),
    endedBy: NamedOrNull('Who ended it; null: no person did.'),
    endReason: nullableText({ description: 'Why it was ended.' }),
    inForce: flag('It is neither ended nor expired.'),
  },
  { $id: 'ListEntry', description: 'A number that is allowed or denied.' },
);

export const EntryListQuery = Type.Object({
  list: Type.Optional(ListWord),
  q: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'Part of the number in E.164, of the reason or of the name of its author.',
    }),
  ),
  inForce: Type.Optional(
    words(['true', 'false'], 'Only entries in force, or only ended and expired ones.'),
  ),
  limit: PageLimit,
  cursor: PageCursor,
});

export const EntryPage = Type.Object({
  items: Type.Array(EntryObject, { description: 'The entries of this page, newest first.' }),
  nextCursor: nullableText({ description: 'For the next page; null on the last.' }),
});
