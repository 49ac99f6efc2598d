-- A change of the company's lists counts up the controls of all open books, and must not miss a book that another
-- transaction is making. It used to lock the table book_controls, into which this trigger inserts. A merchant that is
-- copied into the cell keeps that table locked, for hours if it is large, and the change waited as long.
-- Now both take an advisory lock of the cell: the change exclusively, this trigger shared. The copy of a merchant does not
-- take it: it sets kafue.arriving, and the merchant's controls are counted up when it is opened, under that lock.
--
-- Processes of the release before lock the table still. The trigger inserts into it as before, so each waits for the other.

-- Books that are being made by the function as it was are waited for: they do not have the new lock.
lock table book_controls in share row exclusive mode;

create or replace function add_book_controls() returns trigger language plpgsql as $$
begin
  if coalesce(current_setting('kafue.arriving', true), '') <> new.merchant_id::text then
    perform pg_advisory_xact_lock_shared(hashtextextended(tg_table_schema, 7246310580));
  end if;
  insert into book_controls (book_id) values (new.id);
  -- The company's list counts in new books too: a change of it is seen here, or the book is seen there.
  update books set controls_version = 1
  where id = new.id and exists (
    select from list_entries where book_id = '00000000-0000-0000-0000-000000000000'
  );
  return null;
end
$$;
