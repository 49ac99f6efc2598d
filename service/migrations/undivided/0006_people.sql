-- Persons who may act where the service cannot know, what they did, and what two of them decide.

-- They belong to no book: they stand beside all merchants.
create table administrators (
  id uuid primary key,
  -- With the word before it, it fits into the actor of an event.
  name text not null check (char_length(name) between 1 and 80),
  key_hash bytea not null unique check (octet_length(key_hash) = 32),
  created_at timestamptz not null,
  removed_at timestamptz
);
-- A name is one person's for ever, since the history knows people by it. Whoever comes back gets a new
-- key and the same row, and so cannot confirm what they proposed before.
create unique index administrators_name on administrators (lower(name));

create table administrator_acts (
  id uuid primary key,
  -- Null: the first administrator was added when there was nobody yet.
  administrator_id uuid references administrators (id),
  act text not null check (char_length(act) between 1 and 60),
  subject text not null check (char_length(subject) between 1 and 200),
  detail text check (char_length(detail) between 1 and 1000),
  acted_at timestamptz not null
);
create index administrator_acts_by_time on administrator_acts (acted_at, id);
create trigger administrator_acts_append_only before update or delete on administrator_acts
  for each row execute function refuse_change();
create trigger administrator_acts_no_truncate before truncate on administrator_acts
  for each statement execute function refuse_change();

-- What one administrator says of a transfer. It has no effect until another one says the same.
create table proposals (
  book_id uuid not null,
  id uuid not null,
  transfer_id uuid not null,
  decision text not null check (decision in ('paid', 'not_paid', 'reversed')),
  -- What the operator gave the recipient.
  receipt text check (char_length(receipt) between 1 and 100),
  evidence text not null check (char_length(evidence) between 1 and 500),
  -- The transfer's last event then: what came after it the proposer did not know.
  event_seq integer not null check (event_seq > 0),
  proposed_by uuid not null references administrators (id),
  proposed_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  ended_as text check (ended_as in ('carried_out', 'withdrawn', 'expired', 'overtaken')),
  -- Null: its time ran out, or something happened to the transfer.
  ended_by uuid references administrators (id),
  -- What the second person saw.
  second_evidence text check (char_length(second_evidence) between 1 and 500),
  primary key (book_id, id),
  check ((decision = 'paid') = (receipt is not null)),
  check (expires_at > proposed_at),
  check ((ended_at is null) = (ended_as is null)),
  check (ended_at is not null or ended_by is null),
  check ((ended_as is not distinct from 'carried_out') = (second_evidence is not null)),
  constraint proposals_two_persons check (
    ended_as is distinct from 'carried_out' or (ended_by is not null and ended_by <> proposed_by)
  )
);
create unique index proposals_open on proposals (book_id, transfer_id) where ended_at is null;
create index proposals_of_transfer on proposals (book_id, transfer_id);

-- A proposal is what was proposed: it can end, once, and nothing else of it can change.
create function keep_proposal() returns trigger language plpgsql as $$
begin
  if old.ended_at is not null
     or (to_jsonb(new) - array['ended_at', 'ended_as', 'ended_by', 'second_evidence'])
        <> (to_jsonb(old) - array['ended_at', 'ended_as', 'ended_by', 'second_evidence']) then
    raise exception 'a proposal can only end, and only once' using errcode = 'restrict_violation';
  end if;
  return new;
end
$$;
create trigger proposals_kept before update on proposals
  for each row execute function keep_proposal();
create trigger proposals_not_deleted before delete on proposals
  for each row execute function refuse_change();

-- Few rows at any time, and the first that a person on call wants to see.
create index transfers_in_doubt on transfers (in_doubt_since) where state = 'in_doubt';
create index incidents_of_transfer on incidents (book_id, transfer_id);
create index incidents_by_time on incidents (opened_at) where closed_at is null;
