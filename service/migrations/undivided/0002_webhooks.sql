-- Events that merchants can read in order, and webhooks that tell of them.

-- The transaction that wrote an event. Readers take only events of transactions that have ended before
-- all that still run: then a cursor can never pass an event that is committed later.
alter table events add column xid xid8 not null default pg_current_xact_id();
create index events_feed on events (book_id, xid, subject_id, seq) where type is not null;

-- A wallet that falls below this tells so; null: never.
alter table wallets add column low_balance_minor bigint check (low_balance_minor > 0);

create table webhook_endpoints (
  book_id uuid not null references books (id),
  id uuid not null,
  url text not null check (char_length(url) between 1 and 2000),
  -- Empty: every type.
  events text[] not null default '{}' check (cardinality(events) <= 50),
  status text not null default 'enabled' check (status in ('enabled', 'disabled')),
  disabled_reason text check (char_length(disabled_reason) between 1 and 200),
  -- Encrypted: a copy of the database must not let anybody sign in our name.
  secret_sealed bytea not null check (octet_length(secret_sealed) between 29 and 500),
  -- While a secret is being rotated both sign.
  previous_secret_sealed bytea check (octet_length(previous_secret_sealed) between 29 and 500),
  previous_secret_until timestamptz,
  -- Since when no delivery has succeeded; null: the last one did.
  failing_since timestamptz,
  -- The number of the endpoint's last event.
  event_seq integer not null default 0 check (event_seq >= 0),
  created_at timestamptz not null,
  primary key (book_id, id),
  check ((status = 'disabled') = (disabled_reason is not null)),
  check ((previous_secret_sealed is null) = (previous_secret_until is null))
);

-- One event for one endpoint. Written with the event, so that none can be forgotten.
create table deliveries (
  book_id uuid not null,
  id uuid not null,
  endpoint_id uuid not null,
  subject_id uuid not null,
  event_seq integer not null check (event_seq > 0),
  state text not null default 'pending' check (state in ('pending', 'delivered', 'failed')),
  attempts integer not null default 0 check (attempts >= 0),
  -- Attempts of the present schedule; a replay begins a new one.
  schedule_attempts integer not null default 0 check (schedule_attempts >= 0),
  -- The process that is delivering until next_attempt_at.
  lease_owner uuid,
  next_attempt_at timestamptz,
  created_at timestamptz not null,
  primary key (book_id, id),
  check ((state = 'pending') = (next_attempt_at is not null))
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);
create index deliveries_due on deliveries (endpoint_id, next_attempt_at)
  where next_attempt_at is not null;
create index deliveries_of_endpoint on deliveries (book_id, endpoint_id, created_at, id);

create table delivery_attempts (
  book_id uuid not null,
  delivery_id uuid not null,
  attempt integer not null check (attempt > 0),
  at timestamptz not null,
  elapsed_ms integer not null check (elapsed_ms >= 0),
  -- The receiver's HTTP status; null: there was no answer.
  status integer check (status between 100 and 999),
  error text check (char_length(error) between 1 and 300),
  -- The first KiB of the answer.
  answer text check (char_length(answer) <= 1024),
  primary key (book_id, delivery_id, attempt),
  check (status is not null or error is not null)
);
