-- What an operator says that it paid, and no transfer here has the reference of: the database may have
-- forgotten it. It belongs to no book, so it cannot be an incident of a transfer. Told once for each reference.
create table unmatched_payments (
  operator_reference uuid primary key,
  -- Of the callback that said so first; callbacks are deleted once they are old.
  id uuid not null unique,
  route text not null check (char_length(route) between 1 and 60),
  opened_at timestamptz not null,
  closed_at timestamptz,
  closed_by text check (char_length(closed_by) between 1 and 100),
  note text check (char_length(note) between 1 and 500),
  check ((closed_at is null) = (closed_by is null)),
  check ((closed_at is null) = (note is null))
);
create index unmatched_payments_open on unmatched_payments (opened_at) where closed_at is null;
