import { COMPANY_BOOK_ID } from '../domain/company-book.ts';
import { bumpControls } from '../policies/bump-controls.ts';
import type { Database, Queryable, Statement } from '../postgres/database.ts';

/**
 * Takes over into a cell what the company put on its lists and which screeners it has. They are written in the main
 * cell, and count in every cell from the commit there, as a change of its own would. Returns whether anything was new.
 */
export async function followCompany(main: Queryable, cell: Database): Promise<boolean> {
  const [written] = await main.query<Count>(COUNT_CHANGES);
  const [known] = await cell.query<Count>(COUNT_CHANGES);
  if (written?.changes === known?.changes) return false;
  await cell.transaction(async (tx) => {
    // Two processes take over one after the other: what the first did is known to the second.
    await bumpControls(tx, { bookId: null });
    const entries = await tx.query<{ id: string; ended: boolean }>(LIST_ENTRIES);
    const ids = (ended: boolean) => entries.filter((entry) => entry.ended === ended).map(idOf);
    const [changed] = await main.query<{ rows: string }>(READ_ENTRIES, [ids(true), ids(false)]);
    await tx.query(TAKE_ENTRIES, [changed?.rows]);
    const [screeners] = await main.query<{ rows: string }>(READ_SCREENERS);
    await tx.query(TAKE_SCREENERS, [screeners?.rows]);
  });
  return true;
}

const idOf = ({ id }: Readonly<{ id: string }>) => id;

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

// Those that the cell does not have, or that ended since.
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
    from screeners s where s.book_id = '${COMPANY_BOOK_ID}'`,
};

const TAKE_SCREENERS: Statement = {
  name: '',
  text: `
    insert into screeners as s
    select * from jsonb_populate_recordset(null::screeners, $1::jsonb)
    on conflict (book_id, id) do update set removed_at = excluded.removed_at
    where s.removed_at is null and excluded.removed_at is not null`,
};
