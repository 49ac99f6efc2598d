import { SERVED_HERE } from '../../cells/served-here.ts';
import { AdminRefused } from '../../domain/admin-refused.ts';
import { COUNTRIES } from '../../domain/operator.ts';
import { parsePhone } from '../../domain/phone-number.ts';
import { parseReference } from '../../domain/reference.ts';
import type { Queryable, Statement } from '../../postgres/database.ts';
import { findAnyTransfer } from './find-any-transfer.ts';
import { type OwnedRow, type OwnedTransfer, toOwned } from './list-all-transfers.ts';
import { TRANSFER_COLUMNS } from './transfer-row.ts';

type SearchKind = 'id' | 'reference' | 'operatorReference' | 'receipt' | 'phone';

/** What a text can mean. */
export type SearchTerms = Readonly<{
  text: string;
  /** What it is looked for as. */
  kinds: readonly SearchKind[];
  reference: string | null;
  receipt: string | null;
  /** A number may be valid in several countries. */
  phones: readonly string[];
}>;

/** The width of the column. */
const RECEIPT_LENGTH_MAX = 100;
const UUID = /^[0-9a-f]{8}(-?[0-9a-f]{4}){3}-?[0-9a-f]{12}$/i;

export function readSearch(given: string): SearchTerms {
  const text = given.trim();
  const reference = parseReference(text) ?? null;
  const receipt = text !== '' && text.length <= RECEIPT_LENGTH_MAX ? text : null;
  const phones = [...new Set(COUNTRIES.flatMap((country) => parsePhone(text, country) ?? []))];
  const kinds: SearchKind[] = [
    ...(UUID.test(text) ? (['id', 'operatorReference'] as const) : []),
    ...(reference === null ? [] : (['reference'] as const)),
    ...(receipt === null ? [] : (['receipt'] as const)),
    ...(phones.length === 0 ? [] : (['phone'] as const)),
  ];
  return { text, kinds, reference, receipt, phones };
}

/** Transfers of all books of a database that the text may mean, newest first. */
export async function searchAllTransfers(
  database: Queryable,
  { terms, max }: Readonly<{ terms: SearchTerms; max: number }>,
): Promise<readonly OwnedTransfer[]> {
  const { reference, receipt, phones } = terms;
  const byId = terms.kinds.includes('id') ? await findById(database, terms.text) : [];
  const rows = await database.query<OwnedRow>(SEARCH, [max, reference, receipt, phones]);
  const found = new Map<string, OwnedTransfer>();
  for (const owned of [...byId, ...rows.map(toOwned)]) found.set(owned.transfer.id, owned);
  return [...found.values()].sort((a, b) => (a.transfer.id < b.transfer.id ? 1 : -1)).slice(0, max);
}

async function findById(database: Queryable, text: string): Promise<readonly OwnedTransfer[]> {
  try {
    const { transfer, merchantId: id, merchant: name } = await findAnyTransfer(database, text);
    return [{ transfer, merchant: { id, name } }];
  } catch (error) {
    if (error instanceof AdminRefused) return [];
    throw error;
  }
}

// Each book is probed for each meaning by an index of its own.
const SEARCH: Statement = {
  name: '',
  text: `
    with found as (
      select f.book_id, f.id
      from books b
      cross join lateral (
        (select t.book_id, t.id from transfers t where t.book_id = b.id and t.reference = $2 limit 1)
        union
        (
          select t.book_id, t.id from transfers t
          where t.book_id = b.id and t.operator_transaction_id = $3
          limit $1
        )
        union
        (
          select t.book_id, t.id from transfers t
          where t.book_id = b.id and t.phone = any ($4::text[])
          order by t.id desc limit $1
        )
      ) f
    )
    select ${TRANSFER_COLUMNS}, b.mode, b.merchant_id, m.name as merchant
    from found f
    join transfers t on t.book_id = f.book_id and t.id = f.id
    join books b on b.id = t.book_id
    join merchants m on m.id = b.merchant_id and ${SERVED_HERE}
    order by t.id desc
    limit $1`,
};
