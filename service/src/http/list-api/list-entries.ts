import type { ControlOwner } from '../../domain/control-owner.ts';
import { checkPlainText } from '../../domain/plain-text.ts';
import { parseUuid } from '../../domain/uuid.ts';
import { type EntryFilter, listEntries } from '../../lists/list-entries.ts';
import { LISTS, type ListName } from '../../lists/list-entry.ts';
import type { Queryable } from '../../postgres/database.ts';
import { createQueryReader, encodeCursor } from '../merchant-api/read-page.ts';
import { EntryListQuery, EntryPage } from '../schemas/list-schema.ts';
import type { ApiAnswer, ApiOperation, StaffOperation } from '../server/api-operation.ts';
import { renderEntry } from './render-entry.ts';

const LIST = 'lists';
const SEARCH_LENGTH_MAX = 100;

type ReadDeps = Readonly<{ database: Queryable; now: () => Date }>;

export function listEntriesOperation(deps: ReadDeps): ApiOperation {
  return {
    ...DESCRIBED,
    operationId: 'listEntries',
    tag: 'Controls',
    scope: 'read',
    permission: 'policy:read',
    summary: 'List allowed and denied numbers',
    description:
      "The merchant's own, newest first, also ended ones. The company that runs the service may deny more.",
    handle: ({ caller: { book }, query }) =>
      answer(deps, { bookId: book.id, merchantId: book.merchantId }, query),
  };
}

export function listCompanyEntriesOperation(deps: ReadDeps): StaffOperation {
  return {
    ...DESCRIBED,
    operationId: 'listCompanyEntries',
    tag: 'Operations',
    permission: 'operations:read',
    summary: 'List numbers that no merchant may pay',
    description: "The company's deny list, newest first, also entries that have ended.",
    handle: ({ query }) => answer(deps, 'company', query),
  };
}

const DESCRIBED = {
  method: 'GET',
  path: '/lists',
  readsPage: true,
  schema: { querystring: EntryListQuery, data: { 200: EntryPage } },
} as const;

async function answer(
  { database, now }: ReadDeps,
  owner: ControlOwner,
  query: URLSearchParams,
): Promise<ApiAnswer> {
  const read = createQueryReader(query, Object.keys(EntryListQuery.properties));
  const { limit, before, inForce, ...rest } = read.checked({
    limit: read.limit(),
    before: read.cursor(LIST, parseUuid),
    list: read.word('list', isListName, 'INVALID_TEXT', `One of ${LISTS.join(', ')}.`),
    q: read.word('q', isSearch, 'INVALID_TEXT'),
    inForce: read.word('inForce', isBoolean, 'INVALID_BOOLEAN'),
  });
  const filter: EntryFilter = { ...rest, inForce: inForce === null ? null : inForce === 'true' };
  const found = await listEntries(database, { owner, filter, max: limit + 1, before });
  const items = found.slice(0, limit);
  const last = items.at(-1);
  const at = now();
  return {
    status: 200,
    message: 'Entries listed',
    data: {
      items: items.map((entry) => renderEntry(entry, at)),
      nextCursor: found.length > limit && last !== undefined ? encodeCursor(LIST, last.id) : null,
    },
  };
}

function isListName(text: string): text is ListName {
  return LISTS.some((list) => list === text);
}

function isBoolean(text: string): text is 'true' | 'false' {
  return text === 'true' || text === 'false';
}

function isSearch(text: string): text is string {
  return text !== '' && checkPlainText(text, { codePointsMax: SEARCH_LENGTH_MAX }) === 'ok';
}
