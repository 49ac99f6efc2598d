import { isActKind } from '../../acts/act.ts';
import { actForMerchant } from '../../acts/act-for-merchant.ts';
import { ANY_ACT, listActs, type SeenBooks } from '../../acts/list-acts.ts';
import type { Cells } from '../../cells/cell.ts';
import type { BookPlace } from '../../domain/book.ts';
import { mayInBook } from '../../domain/roles.ts';
import { rolesIn } from '../../people/session.ts';
import type { Queryable } from '../../postgres/database.ts';
import { createQueryReader, encodeCursor } from '../merchant-api/read-page.ts';
import { ActivityPage, ActivityQuery } from '../schemas/activity-schema.ts';
import type { MerchantOperation } from '../server/api-operation.ts';
import type { MerchantCaller } from '../server/caller.ts';
import { formatActPosition, parseActPosition } from './act-cursor.ts';

const LIST = 'activity';

export type ActivityApiDeps = Readonly<{ directory: Queryable; cells: Cells }>;

export function listActivityOperation({ directory, cells }: ActivityApiDeps): MerchantOperation {
  return {
    method: 'GET',
    path: '/activity',
    operationId: 'listActivity',
    tag: 'People',
    permission: 'activity:read',
    readsPage: true,
    summary: 'List what was done',
    description:
      'What people, API keys and the staff did in the merchant, newest first: in the books that ' +
      'you see, and in the merchant as a whole. Of a book whose payouts you may not read, only what ' +
      'was done with keys and webhooks. Payouts are in the lists of transfers and events.',
    schema: { querystring: ActivityQuery, data: { 200: ActivityPage } },
    async handle({ caller, query }) {
      const read = createQueryReader(query, Object.keys(ActivityQuery.properties));
      const { limit, before, ...filter } = read.checked({
        limit: read.limit(),
        before: read.cursor(LIST, parseActPosition),
        actor: read.uuid('actor', 'INVALID_ID'),
        kind: read.word('kind', isActKind, 'INVALID_KIND'),
        bookId: read.uuid('bookId', 'INVALID_ID'),
        from: read.time('from'),
        to: read.time('to'),
      });
      const { acts, next } = await listActs(sourcesOf(caller), {
        filter: { ...ANY_ACT, ...filter, merchantId: caller.merchantId },
        books: seenBooks(caller),
        page: { limit, before },
      });
      return {
        status: 200,
        message: 'Activity listed',
        data: {
          items: acts.map(actForMerchant).map((act) => ({ ...act, at: act.at.toISOString() })),
          nextCursor: next === null ? null : encodeCursor(LIST, formatActPosition(next)),
        },
      };
    },
  };

  /** What people and keys did is in the directory, what concerns a book in its cell. */
  function sourcesOf(caller: MerchantCaller): readonly Queryable[] {
    const names = new Set(booksOf(caller).map(({ cell }) => cell));
    return [directory, ...[...names].map((name) => cells.named(name).database)];
  }
}

function seenBooks(caller: MerchantCaller): SeenBooks {
  const books = booksOf(caller);
  const roles = rolesIn(caller.session, caller.merchantId);
  const withPayouts = books.filter((book) => mayInBook(roles, book, 'payouts:read'));
  return {
    ids: books.map(({ id }) => id),
    withPayouts: withPayouts.length === books.length ? null : withPayouts.map(({ id }) => id),
  };
}

function booksOf({ session, merchantId }: MerchantCaller): readonly BookPlace[] {
  const membership = session.memberships.find(({ merchant }) => merchant.id === merchantId);
  return membership?.books ?? [];
}
