import { escapeIdentifier } from 'pg';
import type { Queryable, Statement } from '../../postgres/database.ts';

/** Tables of a cell that belong to no merchant: they stay when one leaves. */
const OF_THE_CELL: readonly string[] = [
  'access_version',
  'callback_usage',
  'feed_clock',
  // Empty for a merchant that is closed: its events have their places in the feed.
  'feed_pending',
  'migrations',
  'route_hours',
  'unmatched_payments',
  'write_probes',
];

/** Filled by a trigger of books. */
const MADE_WITH_BOOKS = 'book_controls';

/** Which rows of a table are a merchant's, where that is not said by book_id. */
const BELONGING: Readonly<Record<string, string>> = {
  merchants: 't.id = $merchant',
  books: 't.merchant_id = $merchant',
  acts: 't.merchant_id = $merchant',
  // What operators told us about its transfers.
  callbacks: `t.operator_reference in (
    select x.operator_reference from transfers x where x.book_id in ($books)
  )`,
};

/** Values that are not copied as they are. */
const CHANGED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  merchants: { state: `'arriving'`, epoch: '$epoch' },
  // They have their places in the feed, and must not be queued for them again.
  events: { queued: 'case when t.type is null then t.queued else true end' },
};

/** Referred to by others, so they come first and go last. */
const FIRST = ['merchants', 'books'];

export type MerchantTable = Readonly<{
  name: string;
  columns: readonly string[];
  /** Those of a type that PostgreSQL cannot hash. */
  texts: readonly string[];
}>;
export type Moved = Readonly<{ merchantId: string; books: readonly string[]; epoch: number }>;

/**
 * Every table of a cell with rows of a merchant, in an order in which they can be inserted. From the catalogue, so that
 * a new table of books moves too.
 */
export async function listMerchantTables(cell: Queryable): Promise<readonly MerchantTable[]> {
  const tables = await cell.query<MerchantTable>(LIST);
  return tables
    .filter(({ name, columns }) => name in BELONGING || columns.includes('book_id'))
    .toSorted((a, b) => rankOf(a) - rankOf(b));
}

/** Tables that belong neither to a merchant nor to the cell itself. There must be none. */
export async function listUnassignedTables(cell: Queryable): Promise<readonly string[]> {
  const tables = await cell.query<MerchantTable>(LIST);
  const known = new Set((await listMerchantTables(cell)).map(({ name }) => name));
  return tables
    .map(({ name }) => name)
    .filter((name) => !known.has(name) && !OF_THE_CELL.includes(name));
}

export function isCopied({ name }: MerchantTable): boolean {
  return name !== MADE_WITH_BOOKS;
}

/** The merchant's rows as they are, or as they are to be in the cell that it moves to. */
export function selectRows(
  { name, columns }: MerchantTable,
  moved: Moved,
  as: 'stored' | 'copied',
): string {
  const changed = as === 'copied' ? (CHANGED[name] ?? {}) : {};
  const values = columns.map((column) => {
    const own = changed[column];
    return own === undefined
      ? `t.${escapeIdentifier(column)}`
      : `${own} as ${escapeIdentifier(column)}`;
  });
  const condition = BELONGING[name] ?? 't.book_id in ($books)';
  return fill(`select ${values.join(', ')} from ${name} t where ${condition}`, moved);
}

export function listColumns({ columns }: MerchantTable): string {
  return columns.map((column) => escapeIdentifier(column)).join(', ');
}

/** The values of a row, of which a hash can be made. */
export function listHashed({ columns, texts }: MerchantTable): string {
  return columns
    .map((column) => `${escapeIdentifier(column)}${texts.includes(column) ? '::text' : ''}`)
    .join(', ');
}

// COPY takes no parameters. These are ids that the database gave us, of which only the characters of a UUID are left.
function fill(text: string, { merchantId, books, epoch }: Moved): string {
  const quote = (id: string): string => `'${id.replaceAll(/[^0-9a-f-]/g, '')}'::uuid`;
  return text
    .replaceAll('$merchant', quote(merchantId))
    .replaceAll('$books', books.map(quote).join(', '))
    .replaceAll('$epoch', String(epoch));
}

function rankOf({ name }: MerchantTable): number {
  const rank = FIRST.indexOf(name);
  return rank === -1 ? FIRST.length : rank;
}

const LIST: Statement = {
  name: '',
  text: `
    select c.relname::text as name, array_agg(a.attname::text order by a.attname) as columns,
           coalesce(
             array_agg(a.attname::text order by a.attname) filter (where a.atttypid = 'json'::regtype), '{}'
           ) as texts
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
    group by c.relname
    order by c.relname`,
};
