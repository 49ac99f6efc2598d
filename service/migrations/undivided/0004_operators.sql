-- Routes, what was said to operators and by them, and what contradicts.

-- The route a transfer was given to: whoever asks about it later must ask the same operator.
alter table transfers add column route text not null default 'sandbox'
  check (char_length(route) between 1 and 60);

-- What is due, route by route, so that an operator that takes nothing is passed over without being
-- looked at. Submissions and questions have capacities of their own, hence two indexes.
drop index transfers_due;
create index transfers_to_submit on transfers (route, book_id, next_action_at)
  where state = 'queued' and next_action_at is not null;
create index transfers_to_ask on transfers (route, book_id, next_action_at)
  where state <> 'queued' and next_action_at is not null;

-- One exchange with a real operator about a transfer, with the answer as it came, secrets taken out.
-- The sandbox has none.
create table attempts (
  book_id uuid not null,
  transfer_id uuid not null,
  id uuid not null,
  route text not null check (char_length(route) between 1 and 60),
  purpose text not null check (purpose in ('submit', 'inquire', 'recall')),
  operator_reference uuid not null,
  request text not null check (char_length(request) <= 300),
  http_status integer check (http_status between 100 and 999),
  answer text not null check (char_length(answer) <= 2000),
  outcome text not null check (char_length(outcome) between 1 and 30),
  elapsed_ms integer not null check (elapsed_ms >= 0),
  ended_at timestamptz not null,
  primary key (book_id, transfer_id, id)
);
create trigger attempts_append_only before update or delete on attempts
  for each row execute function refuse_change();

-- Operators' calls to us, stored as they came before they are answered. They belong to no book: whom
-- they concern is only known once they are read.
create table callbacks (
  id uuid primary key,
  route text not null check (char_length(route) between 1 and 60),
  method text not null check (char_length(method) between 1 and 10),
  headers jsonb not null,
  body bytea not null check (octet_length(body) <= 65536),
  reading text not null check (reading in ('read', 'unreadable', 'forged')),
  cause text check (char_length(cause) <= 200),
  operator_reference uuid,
  claims text check (claims in ('paid', 'failed', 'pending', 'unknown')),
  verified boolean not null,
  received_at timestamptz not null,
  -- Null: still to be acted on.
  handled_at timestamptz,
  handled_as text check (char_length(handled_as) between 1 and 60)
) with (autovacuum_vacuum_scale_factor = 0.02);
create index callbacks_unhandled on callbacks (received_at) where handled_at is null;
create index callbacks_by_reference on callbacks (operator_reference)
  where operator_reference is not null;

-- What contradicts itself and needs a person: nothing is changed on its account by itself.
create table incidents (
  book_id uuid not null,
  id uuid not null,
  transfer_id uuid not null,
  kind text not null check (char_length(kind) between 1 and 60),
  detail text not null check (char_length(detail) between 1 and 500),
  opened_at timestamptz not null,
  closed_at timestamptz,
  closed_by text check (char_length(closed_by) between 1 and 100),
  note text check (char_length(note) between 1 and 500),
  primary key (book_id, id),
  check ((closed_at is null) = (closed_by is null)),
  check ((closed_at is null) = (note is null))
);
-- The same contradiction is told once, however often the operator repeats it.
create unique index incidents_open on incidents (book_id, transfer_id, kind) where closed_at is null;
