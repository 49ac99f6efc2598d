-- The policies of books. A version never changes, and the highest one of a book is in force.
create table policies (
  book_id uuid not null,
  version integer not null check (version > 0),
  -- As it was written: jsonb would sort its members.
  document json not null check (octet_length(document::text) <= 262144),
  content_hash text not null check (content_hash ~ '^[0-9a-f]{64}$'),
  published_by uuid not null,
  published_by_name text not null check (char_length(published_by_name) between 1 and 80),
  -- The second person, of a live book.
  confirmed_by uuid,
  confirmed_by_name text check (char_length(confirmed_by_name) between 1 and 80),
  -- Since when it is in force.
  published_at timestamptz not null,
  primary key (book_id, version),
  check ((confirmed_by is null) = (confirmed_by_name is null)),
  check (confirmed_by <> published_by)
);
create trigger policies_append_only before update or delete on policies
  for each row execute function refuse_change();
create trigger policies_no_truncate before truncate on policies
  for each statement execute function refuse_change();

-- The policy of a live book is published by two people, whatever the program that writes it.
create function require_two_publishers() returns trigger language plpgsql as $$
begin
  if new.confirmed_by is null and (select mode from books where id = new.book_id) = 'live' then
    raise exception 'the policy of a live book is published by two people' using errcode = 'restrict_violation';
  end if;
  return new;
end
$$;
create trigger policies_of_two before insert on policies
  for each row execute function require_two_publishers();

-- The one draft of a book. A change of the document takes back its replay and its first publisher.
create table policy_drafts (
  book_id uuid primary key,
  document json not null check (octet_length(document::text) <= 262144),
  content_hash text not null check (content_hash ~ '^[0-9a-f]{64}$'),
  changed_by uuid not null,
  changed_by_name text not null check (char_length(changed_by_name) between 1 and 80),
  changed_at timestamptz not null,
  -- What the draft would have done, and over which time.
  replay jsonb,
  replay_from timestamptz,
  replay_to timestamptz,
  replayed_at timestamptz,
  -- The first of two people who publish it.
  published_by uuid,
  published_by_name text check (char_length(published_by_name) between 1 and 80),
  published_at timestamptz,
  check (num_nulls(replay, replay_from, replay_to, replayed_at) in (0, 4)),
  check (num_nulls(published_by, published_by_name, published_at) in (0, 3))
);
