import { COMPANY_BOOK_ID } from '../domain/company-book.ts';
import type { Queryable, Statement } from '../postgres/database.ts';

/** More numbers than this are not kept in memory: they are looked up when a payout is decided. */
const LISTED_KEPT_MAX = 10_000;

/** Why a number is on a list. */
export type Listed = Readonly<{
  entryId: string;
  reason: string;
  /** Null: until a person ends it. */
  expiresAt: Date | null;
  /** The company's, not the merchant's. */
  isCompanys: boolean;
}>;

export type Numbers = ReadonlyMap<string, Listed>;

export type ListedNumbers = Readonly<{ denied: Numbers | 'many'; allowed: Numbers | 'many' }>;

/**
 * All numbers on the lists of a book, the company's denied ones included. Entries that are over by their time may be
 * among them: `findInForce` looks at the time.
 */
export async function readListedNumbers(
  database: Queryable,
  bookId: string,
): Promise<ListedNumbers> {
  const [denied, allowed] = [
    await database.query<ListedRow>(READ, [bookId, 'deny', LISTED_KEPT_MAX + 1]),
    await database.query<ListedRow>(READ, [bookId, 'allow', LISTED_KEPT_MAX + 1]),
  ];
  return {
    denied: denied.length > LISTED_KEPT_MAX ? 'many' : toNumbers(denied),
    allowed: allowed.length > LISTED_KEPT_MAX ? 'many' : toNumbers(allowed),
  };
}

/** The same for some numbers only, by the database's clock. For lists that are not kept in memory. */
export async function findListed(
  database: Queryable,
  { bookId, phones }: Readonly<{ bookId: string; phones: readonly string[] }>,
): Promise<Readonly<{ denied: Numbers; allowed: Numbers }>> {
  const rows = await database.query<ListedRow>(FIND, [bookId, [...new Set(phones)]]);
  return {
    denied: toNumbers(rows.filter(({ list }) => list === 'deny')),
    allowed: toNumbers(rows.filter(({ list }) => list === 'allow')),
  };
}

/** The entry that is in force for the number at that time. */
export function findInForce(numbers: Numbers, phone: string, at: Date): Listed | undefined {
  const listed = numbers.get(phone);
  if (listed === undefined) return undefined;
  return listed.expiresAt === null || listed.expiresAt > at ? listed : undefined;
}

type ListedRow = {
  list: 'allow' | 'deny';
  phone: string;
  id: string;
  reason: string;
  expires_at: Date | null;
  is_companys: boolean;
};

/** The first of a number is kept: rows come with the one that lasts longest first. */
function toNumbers(rows: readonly ListedRow[]): Numbers {
  const numbers = new Map<string, Listed>();
  for (const row of rows) {
    if (numbers.has(row.phone)) continue;
    numbers.set(row.phone, {
      entryId: row.id,
      reason: row.reason,
      expiresAt: row.expires_at,
      isCompanys: row.is_companys,
    });
  }
  return numbers;
}

const COLUMNS = `
  e.list, e.phone, e.id, e.reason, e.expires_at, e.book_id = '${COMPANY_BOOK_ID}' as is_companys`;

const IN_FORCE = 'e.ended_at is null and (e.expires_at is null or e.expires_at > now())';

const READ: Statement = {
  name: 'read-listed-numbers',
  text: `
    select ${COLUMNS}
    from list_entries e
    where e.book_id in ($1::uuid, '${COMPANY_BOOK_ID}') and e.list = $2 and ${IN_FORCE}
    order by e.expires_at desc nulls first, e.id
    limit $3`,
};

const FIND: Statement = {
  name: 'find-listed',
  text: `
    select ${COLUMNS}
    from unnest($2::text[]) as p (phone)
    cross join (values ('deny'), ('allow')) as l (list)
    join list_entries e
      on e.book_id in ($1::uuid, '${COMPANY_BOOK_ID}') and e.list = l.list and e.phone = p.phone
    where ${IN_FORCE}
    order by e.expires_at desc nulls first, e.id`,
};

/**
 * Whether the recipient of a transfer, the row of the given alias, is denied now. One or two probes of an index.
 */
export function deniedRecipientSql(alias: string): string {
  return `exists (
        select from list_entries e
        where e.book_id in (${alias}.book_id, '${COMPANY_BOOK_ID}') and e.list = 'deny'
          and e.phone = ${alias}.phone and ${IN_FORCE}
      )`;
}
