-- A funding that was booked wrongly is taken back by a contra posting, which two administrators say. Both postings
-- stay; a row here has the number of each, so that either leads to the other.

-- Not validated: the rows there are fit the narrower ones before, and reading them all would hold up every payout.
alter table postings
  drop constraint postings_kind_check,
  drop constraint postings_check2,
  add constraint postings_kind_check check (
    kind in ('fund', 'hold', 'settle', 'fee', 'release', 'reverse', 'fee_return', 'fund_return')
  ) not valid,
  add constraint postings_transfer_check check (
    (kind in ('fund', 'fund_return')) = (transfer_id is null)
  ) not valid;

-- No foreign keys, as on all that refers to hot tables: `ledger verify` holds each contra posting against its funding.
create table take_backs (
  book_id uuid not null,
  id uuid not null,
  wallet_id uuid not null,
  -- The funding.
  funded_seq bigint not null,
  -- The contra posting; null until it is booked.
  returned_seq bigint,
  reason text not null check (char_length(reason) between 1 and 500),
  proposed_by uuid not null references administrators (id),
  proposed_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  ended_as text check (ended_as in ('carried_out', 'withdrawn', 'expired')),
  -- Null: its time ran out.
  ended_by uuid references administrators (id),
  -- What the second person saw.
  second_reason text check (char_length(second_reason) between 1 and 500),
  primary key (book_id, id),
  check (expires_at > proposed_at),
  check (returned_seq > funded_seq),
  check ((ended_at is null) = (ended_as is null)),
  check (ended_at is not null or ended_by is null),
  check ((ended_as is not distinct from 'carried_out') = (returned_seq is not null)),
  check ((ended_as is not distinct from 'carried_out') = (second_reason is not null)),
  constraint take_backs_two_persons check (
    ended_as is distinct from 'carried_out' or (ended_by is not null and ended_by <> proposed_by)
  )
);
-- A funding is taken back once, and one proposal at a time waits for a second person.
create unique index take_backs_once on take_backs (book_id, wallet_id, funded_seq)
  where ended_at is null or ended_as = 'carried_out';
create unique index take_backs_returned on take_backs (book_id, wallet_id, returned_seq)
  where returned_seq is not null;

create function keep_take_back() returns trigger language plpgsql as $$
begin
  if old.ended_at is not null
     or (to_jsonb(new) - array['ended_at', 'ended_as', 'ended_by', 'second_reason', 'returned_seq'])
        <> (to_jsonb(old) - array['ended_at', 'ended_as', 'ended_by', 'second_reason', 'returned_seq']) then
    raise exception 'a take-back can only end, and only once' using errcode = 'restrict_violation';
  end if;
  return new;
end
$$;
create trigger take_backs_kept before update on take_backs
  for each row execute function keep_take_back();
create trigger take_backs_not_deleted before delete on take_backs
  for each row execute function refuse_change();
create trigger take_backs_no_truncate before truncate on take_backs
  for each statement execute function refuse_change();
