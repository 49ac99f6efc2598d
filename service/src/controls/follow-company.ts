import { COMPANY_BOOK_ID } from '../domain/company-book.ts';
import { bumpControls } from '../policies/bump-controls.ts';
import type { Database, Queryable, Statement } from '../postgres/database.ts';
import { lockScreenerNames } from './lock-screener-names.ts';

/**
 * Takes over into a cell what the company put on its lists and which screeners it has. They are written in the main
 * cell, and count in every cell from the commit there, as a change of its own would. Returns whether anything was new.
 */
export async function followCompany(main: Queryable, cell: Database): Promise<boolean> {
  const [written] = await main.query<Count>(COUNT_CHANGES);
  const [known] = await cell.query<Count>(COUNT_CHANGES);
  if (written?.changes === known?.changes) return false;
  // Before the transaction, which locks all wallets of the cell: the main cell may be on another server.
  const entries = await readNew(main, READ_ENTRIES, await cell.query<Known>(LIST_ENTRIES));
  const screeners = await readNew(main, READ_SCREENERS, await cell.query<Known>(LIST_SCREENERS));
  // A main cell that was restored may have less than this one.
  if (entries === NOTHING && screeners === NOTHING) return false;
  await cell.transaction(async (tx) => {
    // From the commit on books of this cell add none by a name of the company's, and what they added before is seen.
    await lockScreenerNames(tx);
    await bumpControls(tx, { bookId: null });
    // Another process may have taken over the same meanwhile.
    await tx.query(TAKE_ENTRIES, [entries]);
    await tx.query(TAKE_SCREENERS, [screeners]);
  });
  return true;
}

/** The rows that the cell does not have, or that ended since, as JSON. */
async function readNew(main: Queryable, read: Statement, known: readonly Known[]): Promise<string> {
  const ids = (ended: boolean) => known.filter((row) => row.ended === ended).map(({ id }) => id);
  const [found] = await main.query<{ rows: string }>(read, [ids(true), ids(false)]);
  return found?.rows ?? NOTHING;
}

const NOTHING = '[]';

type Known = { id: string; ended: boolean };

type Count = { changes: bigint };

// Rows are never deleted, and end once: so the number grows with each change.
const COUNT_CHANGES: Statement = {
  name: 'count-company-changes',
  text: `
    select (select count(*) + count(ended_at) from list_entries where book_id = '${COMPANY_BOOK_ID}')
         + (select count(*) + count(removed_at) from screeners where book_id = '${COMPANY_BOOK_ID}') as changes`,
};

const LIST_ENTRIES: Statement = {
  name: '',
  text: `
    select id, ended_at is not null as ended from list_entries where book_id = '${COMPANY_BOOK_ID}'`,
};

const LIST_SCREENERS: Statement = {
  name: '',
  text: `
    select id, removed_at is not null as ended from screeners where book_id = '${COMPANY_BOOK_ID}'`,
};

const READ_ENTRIES: Statement = {
  name: '',
  text: `
    select coalesce(jsonb_agg(to_jsonb(e)), '[]')::text as rows
    from list_entries e
    where e.book_id = '${COMPANY_BOOK_ID}'
      and e.id <> all ($1::uuid[]) and (e.ended_at is not null or e.id <> all ($2::uuid[]))`,
};

const TAKE_ENTRIES: Statement = {
  name: '',
  text: `
    insert into list_entries as e
    select * from jsonb_populate_recordset(null::list_entries, $1::jsonb)
    on conflict (book_id, id) do update
    set ended_at = excluded.ended_at, ended_by = excluded.ended_by, ended_by_name = excluded.ended_by_name,
        end_reason = excluded.end_reason
    where e.ended_at is null and excluded.ended_at is not null`,
};

const READ_SCREENERS: Statement = {
  name: '',
  text: `
    select coalesce(jsonb_agg(to_jsonb(s)), '[]')::text as rows
    from screeners s
    where s.book_id = '${COMPANY_BOOK_ID}'
      and s.id <> all ($1::uuid[]) and (s.removed_at is not null or s.id <> all ($2::uuid[]))`,
};

const TAKE_SCREENERS: Statement = {
  name: '',
  text: `
    insert into screeners as s
    select * from jsonb_populate_recordset(null::screeners, $1::jsonb)
    on conflict (book_id, id) do update set removed_at = excluded.removed_at
    where s.removed_at is null and excluded.removed_at is not null`,
};
