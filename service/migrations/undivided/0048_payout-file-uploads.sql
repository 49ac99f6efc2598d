-- An upload is kept in parts: sending and reading 20 MiB at once would hold the process up.
alter table payout_file_uploads
  add column part integer not null default 0 check (part between 0 and 100),
  drop constraint payout_file_uploads_pkey,
  add primary key (book_id, file_id, part);

alter table payout_files
  -- The sheet of a workbook that was read, and those that look like lists of payouts and were not.
  add column sheet text check (char_length(sheet) <= 100),
  add column other_sheets text[] not null default '{}';
-- Whether the same file was uploaded before.
create index payout_files_of_upload on payout_files (book_id, upload_hash) where upload_hash is not null;
