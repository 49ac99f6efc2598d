-- What a webhook endpoint was before it was changed or deleted. An event shows its subject as it was
-- then, the same bytes whenever it is told; all other subjects have immutable rows to read that from.
create table webhook_endpoint_versions (
  book_id uuid not null,
  endpoint_id uuid not null,
  -- The number of the last event that this version is shown in.
  last_event_seq integer not null check (last_event_seq > 0),
  url text not null check (char_length(url) between 1 and 2000),
  events text[] not null check (cardinality(events) <= 50),
  created_at timestamptz not null,
  primary key (book_id, endpoint_id, last_event_seq)
);
create trigger webhook_endpoint_versions_append_only
  before update or delete on webhook_endpoint_versions
  for each row execute function refuse_change();
