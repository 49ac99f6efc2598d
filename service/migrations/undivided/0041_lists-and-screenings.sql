-- Numbers that are never paid, or that rules know, and services that are asked about a payout before it leaves.
-- What the company decides for all books is in the book of zeros: no merchant has one with that id.

create table list_entries (
  book_id uuid not null,
  id uuid not null,
  list text not null check (list in ('allow', 'deny')),
  phone text not null check (char_length(phone) between 8 and 16),
  reason text not null check (char_length(reason) between 1 and 500),
  created_by uuid not null,
  created_by_name text not null check (char_length(created_by_name) between 1 and 80),
  created_at timestamptz not null,
  -- Ends by itself, whether a process looks or not.
  expires_at timestamptz,
  ended_at timestamptz,
  ended_by uuid,
  ended_by_name text check (char_length(ended_by_name) between 1 and 80),
  end_reason text check (char_length(end_reason) between 1 and 500),
  primary key (book_id, id),
  check (list = 'deny' or book_id <> '00000000-0000-0000-0000-000000000000'),
  check (expires_at > created_at),
  check ((ended_at is null) = (ended_by is null)),
  check ((ended_at is null) = (ended_by_name is null)),
  check ((ended_at is null) = (end_reason is null))
);
create index list_entries_of_phone on list_entries (book_id, list, phone) where ended_at is null;

-- What an entry says never changes; it can only end, once.
create function keep_list_entry() returns trigger language plpgsql as $$
begin
  if old.ended_at is not null
    or (new.book_id, new.id, new.list, new.phone, new.reason, new.created_by, new.created_by_name, new.created_at,
        new.expires_at)
      is distinct from
      (old.book_id, old.id, old.list, old.phone, old.reason, old.created_by, old.created_by_name, old.created_at,
       old.expires_at)
  then
    raise exception 'an entry of a list can only end, once';
  end if;
  return new;
end
$$;
create trigger list_entries_kept before update on list_entries
  for each row execute function keep_list_entry();
create trigger list_entries_not_deleted before delete on list_entries
  for each row execute function refuse_change();
create trigger list_entries_no_truncate before truncate on list_entries
  for each statement execute function refuse_change();

create table screeners (
  book_id uuid not null,
  id uuid not null,
  -- Rules ask for it by this name.
  name text not null check (char_length(name) between 1 and 60),
  url text not null check (char_length(url) between 1 and 2000),
  -- Encrypted: with a copy of the database alone no one can sign in our name.
  secret_sealed bytea not null check (octet_length(secret_sealed) between 29 and 500),
  deadline_ms integer not null check (deadline_ms between 100 and 10000),
  created_by uuid not null,
  created_by_name text not null check (char_length(created_by_name) between 1 and 80),
  created_at timestamptz not null,
  removed_at timestamptz,
  primary key (book_id, id)
);
create unique index screeners_by_name on screeners (book_id, name) where removed_at is null;

-- One question about one transfer, as one rule asks it. Written with the transfer, so that none can be forgotten.
create table screenings (
  book_id uuid not null,
  transfer_id uuid not null,
  rule text not null check (char_length(rule) between 1 and 60),
  -- The name of the screener: it is looked for when it is asked.
  screener text not null check (char_length(screener) between 1 and 60),
  created_at timestamptz not null default now(),
  -- How often a process began to ask.
  attempts integer not null default 0 check (attempts >= 0),
  lease_owner uuid,
  -- Null: there is an answer, or none is waited for any more.
  next_attempt_at timestamptz default now(),
  decision text check (decision in ('allow', 'hold', 'refuse')),
  -- What the screener said, or why there is no answer of it.
  reason text check (char_length(reason) between 1 and 500),
  decided_at timestamptz,
  primary key (book_id, transfer_id, rule),
  check ((decision is null) = (decided_at is null)),
  check (decision is null or next_attempt_at is null)
);
create index screenings_due on screenings (next_attempt_at) where next_attempt_at is not null;

create function keep_screening() returns trigger language plpgsql as $$
begin
  if old.decision is not null
    or (new.book_id, new.transfer_id, new.rule, new.screener, new.created_at)
      is distinct from (old.book_id, old.transfer_id, old.rule, old.screener, old.created_at)
  then
    raise exception 'a screening is answered once, and what was asked stays';
  end if;
  return new;
end
$$;
create trigger screenings_kept before update on screenings
  for each row execute function keep_screening();
create trigger screenings_not_deleted before delete on screenings
  for each row execute function refuse_change();
create trigger screenings_no_truncate before truncate on screenings
  for each statement execute function refuse_change();

-- What was sent to a screener, and what came back.
create table screening_attempts (
  book_id uuid not null,
  transfer_id uuid not null,
  rule text not null,
  attempt integer not null check (attempt > 0),
  -- Null: there was no screener of that name.
  screener_id uuid,
  at timestamptz not null,
  elapsed_ms integer not null check (elapsed_ms >= 0),
  -- The HTTP status; null: there was no answer.
  status integer check (status between 100 and 999),
  error text check (char_length(error) between 1 and 300),
  -- The answer, up to its bound.
  answer text check (char_length(answer) <= 4096),
  -- What it was taken for.
  decision text not null check (decision in ('allow', 'hold', 'refuse')),
  primary key (book_id, transfer_id, rule, attempt),
  check (status is not null or error is not null)
);
create trigger screening_attempts_append_only before update or delete on screening_attempts
  for each row execute function refuse_change();
create trigger screening_attempts_no_truncate before truncate on screening_attempts
  for each statement execute function refuse_change();
