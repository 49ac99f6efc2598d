-- How many names each key has asked for today, so that a bound per day costs one row and not a count of
-- all that was asked. The questions themselves are in name_lookups.

create table name_lookup_days (
  book_id uuid not null references books (id),
  actor text not null check (char_length(actor) between 1 and 100),
  -- In UTC. The next day begins again at nothing, in the same row.
  day date not null,
  asked bigint not null check (asked > 0),
  primary key (book_id, actor)
) with (fillfactor = 50);
