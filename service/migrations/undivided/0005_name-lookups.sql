-- Who asked whose account a number is. The name itself is never kept here: what must be seen later is
-- that somebody asks for many, not what they were told.

create table name_lookups (
  book_id uuid not null references books (id),
  asked_at timestamptz not null,
  id uuid not null,
  actor text not null check (char_length(actor) between 1 and 100),
  operator text not null check (operator in ('airtel', 'mtn', 'zamtel', 'vodacom')),
  country text not null check (country in ('zm', 'ng')),
  phone text not null check (char_length(phone) between 8 and 16),
  -- The route whose operator answered, or was asked last. Null: none was.
  route text check (char_length(route) between 1 and 60),
  -- cache: the operator had said it before, or was just being asked it for somebody else.
  source text not null check (source in ('operator', 'cache', 'nobody')),
  result text not null
    check (result in ('resolved', 'noAccount', 'unreachable', 'unaskable', 'noRoute')),
  -- Time goes first: what a book asked lately is the end of its part of this one index.
  primary key (book_id, asked_at, id),
  check ((source = 'nobody') = (route is null))
);
create trigger name_lookups_append_only before update or delete on name_lookups
  for each row execute function refuse_change();
create trigger name_lookups_no_truncate before truncate on name_lookups
  for each statement execute function refuse_change();
