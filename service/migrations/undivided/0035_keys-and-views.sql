-- What a merchant's people do by themselves: make keys, keep views of lists, and see who did what.

-- Who made a key, where it was one of the merchant's people. Ids and names alone: people may live in another database.
-- A live key that a person without the role of an owner made works only once an owner, another person, has confirmed it.
alter table api_keys
  add column created_by uuid,
  add column created_by_name text check (char_length(created_by_name) between 1 and 80),
  -- Null: needs no confirmation. Without one it is ended at this time.
  add column confirm_until timestamptz,
  add column confirmed_by uuid,
  add column confirmed_at timestamptz,
  add constraint api_keys_created_by_check check ((created_by is null) = (created_by_name is null)),
  add constraint api_keys_confirm_until_check check (confirm_until is null or created_by is not null),
  add constraint api_keys_two_people_check check (
    (confirmed_by is null) = (confirmed_at is null)
    and (
      confirmed_by is null
      or (confirm_until is not null and confirmed_by <> created_by and confirmed_at < confirm_until)
    )
  );

-- The service may revoke and confirm keys. It can take neither back.
create function keep_key_decisions() returns trigger language plpgsql as $$
begin
  if (old.revoked_at is not null and new.revoked_at is distinct from old.revoked_at)
    or (
      old.confirmed_at is not null
      and (new.confirmed_at is distinct from old.confirmed_at or new.confirmed_by is distinct from old.confirmed_by)
    )
  then
    raise exception 'a key that was revoked or confirmed stays so' using errcode = 'restrict_violation';
  end if;
  return new;
end
$$;
create trigger api_keys_decisions before update of revoked_at, confirmed_by, confirmed_at on api_keys
  for each row execute function keep_key_decisions();

-- Whether a person acted as one of the merchant's people. Merchants do not see which person of the staff did something.
alter table acts
  add column as_member boolean not null default false,
  add constraint acts_as_member_check check (not as_member or actor_kind = 'person');

-- Changes of all books in one order, for people who watch. Written once for each batch, never by a payout.
create index feed_batches_by_number on feed_batches (number);

-- Filters of a list that a person has named, for themselves or for all who see the book.
create table saved_views (
  id uuid primary key,
  person_id uuid not null references people (id),
  book_id uuid not null,
  name text not null check (char_length(name) between 1 and 60),
  query text not null check (char_length(query) <= 2000),
  columns text[] not null check (cardinality(columns) <= 40),
  is_shared boolean not null,
  created_at timestamptz not null
);
create index saved_views_of_person on saved_views (book_id, person_id);
create index saved_views_shared on saved_views (book_id) where is_shared;
