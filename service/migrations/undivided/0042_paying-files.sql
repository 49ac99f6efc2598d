-- How far a payout file is paid. Rows are taken in the order of their numbers, and the mark is raised before any of their
-- transfers is made: so a file that is cancelled knows which rows may have been paid already.
alter table payout_files
  add column upload_key text check (char_length(upload_key) between 1 and 255),
  add column is_approved boolean not null default false,
  add column paying_up_to integer not null default 0 check (paying_up_to between 0 and 50000),
  add column taken_at timestamptz,
  add column rows_succeeded integer not null default 0 check (rows_succeeded >= 0),
  add column rows_failed integer not null default 0 check (rows_failed >= 0),
  add column rows_cancelled integer not null default 0 check (rows_cancelled >= 0),
  add column event_seq integer not null default 0 check (event_seq >= 0),
  add column ended_by text check (char_length(ended_by) between 1 and 100);
-- An upload that is repeated after its answer was lost finds the file that it made.
create unique index payout_files_upload_key on payout_files (book_id, upload_key) where upload_key is not null;
-- What changed in a book since a moment ago, for people who watch.
create index payout_files_changed on payout_files (book_id, updated_at);

alter table payout_file_rows
  -- When its transfer was seen to have ended.
  add column ended_at timestamptz,
  -- The failed row that this one is paid instead of.
  add column retries_file uuid,
  add column retries_number integer check (retries_number between 1 and 50000),
  add constraint payout_file_rows_retries check ((retries_file is null) = (retries_number is null));
-- A failed row is paid again by one row: two drafts of the same failed rows cannot both be submitted.
create unique index payout_file_rows_retried on payout_file_rows (book_id, retries_file, retries_number)
  where retries_file is not null and state in ('waiting', 'created');
create index payout_file_rows_of_retries on payout_file_rows (book_id, retries_file) where retries_file is not null;
-- Rows whose transfers are under way. A finished file has none.
create index payout_file_rows_unfinished on payout_file_rows (book_id, file_id, number)
  where state = 'created' and ended_at is null;
