import { isActKind } from '../../acts/act.ts';
import { actForMerchant } from '../../acts/act-for-merchant.ts';
import { ANY_ACT, listActs } from '../../acts/list-acts.ts';
import type { Queryable } from '../../postgres/database.ts';
import { createQueryReader, encodeCursor } from '../merchant-api/read-page.ts';
import { ActivityPage, ActivityQuery } from '../schemas/activity-schema.ts';
import type { MerchantOperation } from '../server/api-operation.ts';
import type { MerchantCaller } from '../server/caller.ts';
import { formatActPosition, parseActPosition } from './act-cursor.ts';

const LIST = 'activity';

export function listActivityOperation({
  database,
}: Readonly<{ database: Queryable }>): MerchantOperation {
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
      'you see, and in the merchant as a whole. Payouts are in the lists of transfers and events.',
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
      const { acts, next } = await listActs(database, {
        filter: { ...ANY_ACT, ...filter, merchantId: caller.merchantId },
        bookIds: booksOf(caller),
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
}

function booksOf({ session, merchantId }: MerchantCaller): readonly string[] {
  const membership = session.memberships.find(({ merchant }) => merchant.id === merchantId);
  return membership?.books.map(({ id }) => id) ?? [];
}
