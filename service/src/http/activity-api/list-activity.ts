import { ACT_KINDS, type ActKind } from '../../acts/act.ts';
import {
  type ActPosition,
  listMerchantActs,
  type MerchantAct,
} from '../../acts/list-merchant-acts.ts';
import { parseUuid } from '../../domain/uuid.ts';
import type { Queryable } from '../../postgres/database.ts';
import { createQueryReader, encodeCursor } from '../merchant-api/read-page.ts';
import { ActivityPage, ActivityQuery } from '../schemas/activity-schema.ts';
import type { MerchantOperation } from '../server/api-operation.ts';
import type { MerchantCaller } from '../server/caller.ts';

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
        before: read.cursor(LIST, parsePosition),
        actor: read.uuid('actor', 'INVALID_ID'),
        kind: read.word('kind', isActKind, 'INVALID_KIND'),
        bookId: read.uuid('bookId', 'INVALID_ID'),
        from: read.time('from'),
        to: read.time('to'),
      });
      const { merchantId } = caller;
      const page = { limit, before };
      const bookIds = booksOf(caller);
      const { items, next } = await listMerchantActs(database, {
        merchantId,
        bookIds,
        filter,
        page,
      });
      return {
        status: 200,
        message: 'Activity listed',
        data: {
          items: items.map(renderAct),
          nextCursor: next === null ? null : encodeCursor(LIST, formatPosition(next)),
        },
      };
    },
  };
}

function booksOf({ session, merchantId }: MerchantCaller): readonly string[] {
  const membership = session.memberships.find(({ merchant }) => merchant.id === merchantId);
  return membership?.books.map(({ id }) => id) ?? [];
}

function renderAct({ at, ...act }: MerchantAct) {
  return { ...act, at: at.toISOString() };
}

function isActKind(text: string): text is ActKind {
  return (ACT_KINDS as readonly string[]).includes(text);
}

function formatPosition({ at, id }: ActPosition): string {
  return `${at.getTime()}.${id}`;
}

function parsePosition(text: string): ActPosition | undefined {
  const [, ms = '', id = ''] = /^(\d{1,15})\.(.+)$/.exec(text) ?? [];
  const uuid = parseUuid(id);
  return uuid === undefined ? undefined : { at: new Date(Number(ms)), id: uuid };
}
