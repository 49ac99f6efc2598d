-- Every act of an administrator, with who it was, what was before and what is after. Acts that need no key are
-- recorded with the user of the machine. Kinds are codes; what was kept as the words of a command is renamed.

alter table administrator_acts rename column act to kind;
alter table administrator_acts rename column detail to reason;
alter table administrator_acts
  add column actor_kind text,
  add column actor_name text check (char_length(actor_name) between 1 and 320),
  add column merchant_id uuid references merchants (id),
  add column before jsonb,
  add column after jsonb;

-- The record stays as it was, under other names: nothing is added that was not known.
alter table administrator_acts disable trigger administrator_acts_append_only;
update administrator_acts
set actor_kind = case when administrator_id is null then 'machine' else 'administrator' end,
    actor_name = case when administrator_id is null then 'unknown' end,
    kind = case kind
      when 'administrators add' then 'ADMINISTRATOR_ADDED'
      when 'administrators remove' then 'ADMINISTRATOR_REMOVED'
      when 'transfers propose' then 'RESOLUTION_PROPOSED'
      when 'transfers confirm' then 'RESOLUTION_CONFIRMED'
      when 'transfers withdraw' then 'RESOLUTION_WITHDRAWN'
      when 'transfers recall' then 'TRANSFER_RECALLED'
      when 'incidents close' then 'INCIDENT_CLOSED'
      when 'routes hold' then 'ROUTE_HELD'
      when 'routes release' then 'ROUTE_RELEASED'
      else kind
    end;
alter table administrator_acts enable trigger administrator_acts_append_only;

alter table administrator_acts
  alter column actor_kind set not null,
  add check (actor_kind in ('administrator', 'machine', 'system')),
  add check ((actor_kind = 'administrator') = (administrator_id is not null)),
  add check ((actor_kind = 'administrator') = (actor_name is null)),
  add check (kind ~ '^[A-Z_]+$');
create index administrator_acts_of_merchant on administrator_acts (merchant_id, acted_at)
  where merchant_id is not null;

-- A merchant that is suspended: its keys start no payouts, and what is queued waits. On the book, since that is
-- what a key and a claim of due payouts read anyway.
alter table books add column suspended_at timestamptz;
drop trigger books_access on books;
create constraint trigger books_access
  after update of id, merchant_id, mode, fee_fixed_minor, fee_basis_points, suspended_at or delete on books
  deferrable initially deferred
  for each row execute function raise_access_version();

-- A route that is closed sends nothing, and other routes of its pair take its payouts over. One that is held sends
-- nothing, and its payouts wait for it alone.
alter table route_holds
  add column effect text not null default 'held' check (effect in ('held', 'closed'));

-- Where the one who runs the database sees it, whatever became of the record.
create function write_server_log(line text) returns void language plpgsql as $$
begin
  raise log '%', line;
end
$$;
