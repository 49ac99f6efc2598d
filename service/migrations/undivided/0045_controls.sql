-- Controls of a book: a policy, lists of numbers, screeners. Every change of one counts controls_version up, in the same
-- transaction. Null: the book has none, and its payouts pay nothing for them.
alter table books add column controls_version integer check (controls_version > 0);

-- The same number on each wallet. Payouts lock their wallet and nothing else, so this is what a decision is compared with:
-- a change of controls waits for payouts under way, and each payout after it sees it.
alter table wallets add column controls_version integer check (controls_version > 0);

create function take_over_controls_version() returns trigger language plpgsql as $$
begin
  -- Locked, so that a change of controls at the same time is either seen here or finds the new wallet.
  select b.controls_version into new.controls_version from books b where b.id = new.book_id for share;
  return new;
end
$$;
create trigger wallets_take_over_controls_version before insert on wallets
  for each row execute function take_over_controls_version();

-- Keys are kept in memory with their book.
create constraint trigger books_controls_access
  after update of controls_version on books
  deferrable initially deferred
  for each row execute function raise_access_version();

-- Locked before the wallets by decisions that count over more than one wallet of the book.
create table book_controls (
  book_id uuid primary key
);
insert into book_controls (book_id) select id from books;

create function add_book_controls() returns trigger language plpgsql as $$
begin
  insert into book_controls (book_id) values (new.id);
  -- The company's list counts in new books too. A change of it locks book_controls first, so it is seen here, or the book
  -- is seen there.
  update books set controls_version = 1
  where id = new.id and exists (
    select from list_entries where book_id = '00000000-0000-0000-0000-000000000000'
  );
  return null;
end
$$;
create trigger books_add_controls after insert on books for each row execute function add_book_controls();

-- What a policy counts: accepted payouts by wallet, key, person or operator. Kept only for what a rule asks.
create table policy_counters (
  book_id uuid not null,
  scope text not null check (scope in ('wallet', 'key', 'person', 'operator')),
  subject text not null check (char_length(subject) between 1 and 60),
  currency text not null check (currency in ('ZMW', 'NGN')),
  -- 0: a business day of the country of the currency.
  bucket_seconds integer not null check (bucket_seconds >= 0),
  -- The beginning of the bucket, in seconds since 1970.
  bucket bigint not null,
  count bigint not null check (count >= 0),
  sum_minor bigint not null check (sum_minor >= 0),
  primary key (book_id, scope, subject, currency, bucket_seconds, bucket)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- What most transfers do not have; each absent one is a bit of the row.
alter table transfers
  -- Null: by a program with a key.
  add column source text check (source in ('console', 'file', 'schedule')),
  -- The person who ordered it; null: a key.
  add column made_by uuid,
  add column policy_version integer check (policy_version > 0),
  -- The names of the rules that matched.
  add column rules jsonb check (jsonb_typeof(rules) = 'array'),
  -- [{rule, count, of}]; null: no approval was asked for. Empty: only a screening was.
  add column approvals_needed jsonb check (jsonb_typeof(approvals_needed) = 'array'),
  add column file_id uuid,
  -- The failed transfer that it pays anew.
  add column replaces uuid;
