-- What a merchant may add to a transfer: names of its own for it, and the time at which it is to be sent. Most transfers
-- have neither, and then both are two bits of the row.
alter table transfers
  add column send_at timestamptz,
  add column metadata jsonb;

-- The list by one key of the metadata, newest first. A table of its own, because an index on transfers would be written
-- again with every state of a transfer, up to 20 entries each time; these rows are written once, and only where there is
-- metadata.
create table transfer_metadata (
  book_id uuid not null,
  key text not null check (key ~ '^[A-Za-z0-9_.-]{1,40}$'),
  value text not null check (char_length(value) <= 200),
  transfer_id uuid not null,
  primary key (book_id, key, value, transfer_id)
);
create trigger transfer_metadata_append_only before update or delete on transfer_metadata
  for each row execute function refuse_change();
create trigger transfer_metadata_no_truncate before truncate on transfer_metadata
  for each statement execute function refuse_change();
