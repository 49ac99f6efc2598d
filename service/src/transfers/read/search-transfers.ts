import type { Book } from '../../domain/book.ts';
import { COUNTRIES } from '../../domain/operator.ts';
import { parsePhone } from '../../domain/phone-number.ts';
import { parseReference } from '../../domain/reference.ts';
import type { Transfer } from '../../domain/transfer.ts';
import { parseUuid, withDashes } from '../../domain/uuid.ts';
import type { Queryable, Statement } from '../../postgres/database.ts';
import { findTransfer, findTransferByReference } from './find-transfer.ts';
import { HOUR_OF_END, hourOf } from './hour-of-end.ts';
import { listTransfers, NO_FILTER } from './list-transfers.ts';
import { TRANSFER_COLUMNS, type TransferRow, toTransfer } from './transfer-row.ts';

export const SEARCH_KINDS = ['id', 'reference', 'operatorReference', 'receipt', 'phone'] as const;
type SearchKind = (typeof SEARCH_KINDS)[number];

const FOUND_MAX = 20;
/** The width of the column. */
const RECEIPT_LENGTH_MAX = 100;
/** Hours are probed one by one: 90 days are at most 2,160 probes, some milliseconds. */
const REFERENCE_AGE_MAX_MS = 90 * 24 * 60 * 60 * 1_000;

export type SearchResult = Readonly<{
  items: readonly Transfer[];
  /** What the text was looked for as. */
  kinds: readonly SearchKind[];
}>;

type Search = Readonly<{ book: Book; now: Date }>;
type Find = (database: Queryable, search: Search) => Promise<readonly Transfer[]>;

/** Finds the transfers that one text may mean. What names one exactly comes first, then those to a number. */
export async function searchTransfers(
  database: Queryable,
  { text, ...search }: Search & Readonly<{ text: string }>,
): Promise<SearchResult> {
  const finds = readSearch(text.trim());
  const found = new Map<string, Transfer>();
  for (const [, find] of finds) {
    for (const transfer of await find(database, search)) found.set(transfer.id, transfer);
  }
  return {
    items: [...found.values()].slice(0, FOUND_MAX),
    kinds: finds.map(([kind]) => kind),
  };
}

function readSearch(text: string): readonly (readonly [SearchKind, Find])[] {
  const finds: [SearchKind, Find][] = [];
  const uuid = parseUuid(withDashes(text));
  if (uuid !== undefined) {
    finds.push(['id', byId(uuid)], ['operatorReference', byOperatorReference(uuid)]);
  }
  const reference = parseReference(text);
  if (reference !== undefined) finds.push(['reference', byReference(reference)]);
  if (text !== '' && text.length <= RECEIPT_LENGTH_MAX) finds.push(['receipt', byReceipt(text)]);
  const phones = COUNTRIES.flatMap((country) => parsePhone(text, country) ?? []);
  if (phones.length > 0) finds.push(['phone', byPhones(phones)]);
  return finds;
}

function byId(id: string): Find {
  return async (database, { book }) =>
    oneOrNone(await findTransfer(database, { bookId: book.id, mode: book.mode, id }));
}

function byReference(reference: string): Find {
  return async (database, { book }) =>
    oneOrNone(
      await findTransferByReference(database, { bookId: book.id, mode: book.mode, reference }),
    );
}

function oneOrNone(transfer: Transfer | undefined): readonly Transfer[] {
  return transfer === undefined ? [] : [transfer];
}

function byOperatorReference(reference: string): Find {
  return async (database, { book, now }) => {
    const since = new Date(now.getTime() - REFERENCE_AGE_MAX_MS);
    const values = [book.id, reference, since];
    const rows = await database.query<TransferRow>(BY_OPERATOR_REFERENCE, values);
    return rows.map((row) => toTransfer(row, book.mode));
  };
}

function byReceipt(receipt: string): Find {
  return async (database, { book }) => {
    const rows = await database.query<TransferRow>(BY_RECEIPT, [book.id, receipt, FOUND_MAX]);
    return rows.map((row) => toTransfer(row, book.mode));
  };
}

function byPhones(phones: readonly string[]): Find {
  return async (database, { book }) => {
    const found: Transfer[] = [];
    for (const phone of phones) {
      const filter = { ...NO_FILTER, phone };
      const page = { limit: FOUND_MAX, before: null };
      found.push(...(await listTransfers(database, { book, filter, page })).items);
    }
    return found;
  };
}

// As for callbacks: unfinished transfers have an index of their own. Ended ones are probed by hour, the latest
// first.
const BY_OPERATOR_REFERENCE: Statement = {
  name: 'search-operator-reference',
  text: `
    with recursive hours as (
      (
        select ${HOUR_OF_END} as hour from transfers t
        where t.completed_at is not null and ${HOUR_OF_END} >= ${hourOf('$3::timestamptz')}
        order by ${HOUR_OF_END} desc limit 1
      )
      union all
      select (
        select ${HOUR_OF_END} from transfers t
        where t.completed_at is not null and ${HOUR_OF_END} < h.hour
          and ${HOUR_OF_END} >= ${hourOf('$3::timestamptz')}
        order by ${HOUR_OF_END} desc limit 1
      )
      from hours h
      where h.hour is not null
    ),
    found as (
      (
        select t.book_id, t.id from transfers t
        where t.operator_reference = $2 and t.completed_at is null and t.book_id = $1
        limit 1
      )
      union all
      (
        select t.book_id, t.id
        from hours h
        cross join lateral (
          select t.book_id, t.id from transfers t
          where ${HOUR_OF_END} = h.hour and t.operator_reference = $2
            and t.completed_at is not null and t.book_id = $1
          limit 1
        ) t
        limit 1
      )
      limit 1
    )
    select ${TRANSFER_COLUMNS}
    from found f
    join transfers t on t.book_id = f.book_id and t.id = f.id`,
};

const BY_RECEIPT: Statement = {
  name: 'search-receipt',
  text: `
    select ${TRANSFER_COLUMNS}
    from transfers t
    where t.book_id = $1 and t.operator_transaction_id = $2
    order by t.id desc
    limit $3`,
};
