-- What people decide about transfers and payout files that wait for approval. A row is written once and stays.
create table approvals (
  book_id uuid not null,
  subject_kind text not null check (subject_kind in ('transfer', 'file')),
  subject_id uuid not null,
  -- A transfer may come to wait again: the number of the event by which it did. Decisions of an earlier time count no more.
  round integer not null check (round > 0),
  -- People may live in another database; the name is the one at the time.
  person_id uuid not null,
  person_name text not null check (char_length(person_name) between 1 and 80),
  decision text not null check (decision in ('approve', 'reject')),
  -- The role by which it counted.
  role text not null check (role in ('approver', 'owner')),
  content_hash text not null check (content_hash ~ '^[0-9a-f]{64}$'),
  reason text check (char_length(reason) between 1 and 500),
  decided_at timestamptz not null,
  primary key (book_id, subject_kind, subject_id, round, person_id)
);
create index approvals_by_time on approvals (book_id, decided_at);
create trigger approvals_append_only before update or delete on approvals
  for each row execute function refuse_change();
create trigger approvals_no_truncate before truncate on approvals
  for each statement execute function refuse_change();

-- Maker and approver of one thing are never the same person, whatever roles they have. Who made the key that ordered it
-- is its maker too.
create function refuse_own_approval() returns trigger language plpgsql as $$
begin
  if new.subject_kind = 'transfer' and exists (
    select from transfers t
    join events e on e.book_id = t.book_id and e.subject_id = t.id and e.seq = 1
    left join api_keys k on k.book_id = t.book_id and k.created_by = new.person_id and e.actor = 'key:' || k.id
    where t.book_id = new.book_id and t.id = new.subject_id
      and (t.made_by = new.person_id or e.actor = 'person:' || new.person_id or k.id is not null)
  ) or new.subject_kind = 'file' and exists (
    select from payout_files f
    left join api_keys k on k.book_id = f.book_id and k.created_by = new.person_id
      and k.id in (f.made_by_key, f.submitted_by_key)
    where f.book_id = new.book_id and f.id = new.subject_id
      and (new.person_id in (f.made_by, f.submitted_by) or k.id is not null)
  ) then
    raise exception 'a person cannot decide about what they made' using errcode = 'restrict_violation';
  end if;
  return new;
end
$$;
create trigger approvals_of_another before insert on approvals
  for each row execute function refuse_own_approval();

-- What waits, in the order in which it came; with the time at which it expires.
create index transfers_awaiting on transfers (book_id, id) include (next_action_at)
  where state = 'awaiting_approval';

-- Books whose people changed: what waits there is looked at again, from `after` on, in the order of ids.
create table approval_checks (
  book_id uuid primary key,
  after uuid,
  asked_at timestamptz not null
);

-- What waits and cannot be approved by the people who are left. A subject is told of once.
create table impossible_approvals (
  book_id uuid not null,
  subject_kind text not null check (subject_kind in ('transfer', 'file')),
  subject_id uuid not null,
  round integer not null check (round > 0),
  since timestamptz not null,
  primary key (book_id, subject_kind, subject_id)
);
