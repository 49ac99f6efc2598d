-- A merchant can move to another cell. Its row says what this cell may do with it: anything while it is `open`, and
-- nothing but read while it is `closing`, `arriving` (its rows are being copied here) or `moved` (they are kept until
-- they are forgotten). Every table of a book is held to that by a trigger, so that a process that does not know of the
-- move yet is refused too. The tables that are written for each payout look at a column of the row that they lock
-- anyway: as a condition of the trigger that costs nothing while no merchant moves.
alter table merchants
  add column state text not null default 'open' check (state in ('open', 'closing', 'arriving', 'moved')),
  -- With which epoch of the directory this cell holds it.
  add column epoch integer not null default 1 check (epoch > 0);
-- Processes that know its keys look again within a second.
create constraint trigger merchants_access after update of state on merchants
  deferrable initially deferred for each row execute function raise_access_version();
create index merchants_not_open on merchants (id) where state <> 'open';

create domain closed_for as text check (value in ('holds', 'all'));
-- Null: open. `holds`: no new payouts, while those that were sent end. `all`: nothing changes.
alter table wallets add column closed_for closed_for;

-- The session that moves a merchant sets kafue.moving to its id.
create function is_moving(merchant uuid) returns boolean language sql stable as $$
  select coalesce(current_setting('kafue.moving', true), '') = merchant::text
$$;

create function keep_closed_wallet() returns trigger language plpgsql as $$
begin
  if old.closed_for = 'holds' and new.held_minor <= old.held_minor then return new; end if;
  if is_moving((select merchant_id from books where id = old.book_id)) then return new; end if;
  raise exception 'the merchant is moving to another cell' using errcode = 'KF001';
end
$$;
create trigger wallets_closed before update on wallets
  for each row when (old.closed_for is not null) execute function keep_closed_wallet();

-- Work of a merchant that moves is leased to the move: `lease_owner` is then this id, and its time is put off. Statements
-- over all books pass over it. Nothing is raised, so that they go on with the others.
create function keep_moving_work() returns trigger language plpgsql as $$
begin
  if is_moving((select merchant_id from books where id = old.book_id)) then return new; end if;
  return null;
end
$$;
create trigger transfers_moving before update on transfers
  for each row when (old.lease_owner = 'ffffffff-ffff-4fff-bfff-ffffffffffff') execute function keep_moving_work();
create trigger deliveries_moving before update on deliveries
  for each row when (old.lease_owner = 'ffffffff-ffff-4fff-bfff-ffffffffffff') execute function keep_moving_work();
create trigger screenings_moving before update on screenings
  for each row when (old.lease_owner = 'ffffffff-ffff-4fff-bfff-ffffffffffff') execute function keep_moving_work();
create trigger payout_files_moving before update on payout_files
  for each row when (old.lease_owner = 'ffffffff-ffff-4fff-bfff-ffffffffffff') execute function keep_moving_work();

-- After the row is written: its transaction then has a number, and a move waits for all transactions with a smaller one
-- than that which closed the merchant. So what was allowed here is committed before the rows are copied.
create function keep_closed_book() returns trigger language plpgsql as $$
declare
  book uuid := coalesce(new.book_id, old.book_id);
begin
  if exists (
    select from books b join merchants m on m.id = b.merchant_id
    where b.id = book and m.state <> 'open' and not is_moving(m.id)
  ) then
    raise exception 'the merchant is moving to another cell' using errcode = 'KF001';
  end if;
  return null;
end
$$;
create function keep_closed_books() returns trigger language plpgsql as $$
begin
  if exists (
    select from merchants m join books b on b.merchant_id = m.id
    where m.state <> 'open' and not is_moving(m.id) and exists (select from written w where w.book_id = b.id)
  ) then
    raise exception 'the merchant is moving to another cell' using errcode = 'KF001';
  end if;
  return null;
end
$$;
create function keep_closed_merchant() returns trigger language plpgsql as $$
begin
  if exists (
    select from merchants m where m.id = coalesce(new.merchant_id, old.merchant_id) and m.state <> 'open' and not is_moving(m.id)
  ) then
    raise exception 'the merchant is moving to another cell' using errcode = 'KF001';
  end if;
  return null;
end
$$;

do $$
declare
  kept text;
begin
  foreach kept in array array[
    'approval_checks', 'approvals', 'impossible_approvals', 'incidents', 'list_entries', 'name_lookup_days',
    'name_lookups', 'payout_file_uploads', 'payout_files', 'policies', 'policy_drafts', 'proposals', 'recipients',
    'schedule_occurrences', 'schedules', 'screeners', 'take_backs', 'webhook_endpoint_versions', 'webhook_endpoints'
  ] loop
    execute format(
      'create trigger %I after insert or update or delete on %I for each row execute function keep_closed_book()',
      kept || '_of_open', kept
    );
  end loop;
  -- Thousands of rows at once.
  foreach kept in array array['payout_file_rows', 'schedule_rows'] loop
    execute format(
      'create trigger %I after insert on %I referencing new table as written
       for each statement execute function keep_closed_books()', kept || '_of_open_new', kept
    );
    execute format(
      'create trigger %I after update on %I referencing new table as written
       for each statement execute function keep_closed_books()', kept || '_of_open_changed', kept
    );
    execute format(
      'create trigger %I after delete on %I referencing old table as written
       for each statement execute function keep_closed_books()', kept || '_of_open_gone', kept
    );
  end loop;
end
$$;
create trigger wallets_of_open after insert on wallets for each row execute function keep_closed_book();
create trigger acts_of_open after insert on acts
  for each row when (new.merchant_id is not null) execute function keep_closed_merchant();
create trigger books_of_open after update or delete on books for each row execute function keep_closed_merchant();

-- Rows of a merchant that left, or of a move that was undone, may go: by forget_merchant alone, which only the owner of
-- the tables can call.
create function may_forget(tables_oid oid, gone jsonb) returns boolean language plpgsql stable as $$
begin
  return coalesce(current_setting('kafue.forgetting', true), '') <> ''
    and exists (select from pg_class c where c.oid = tables_oid and pg_has_role(c.relowner, 'usage'))
    and exists (
      select from merchants m
      where m.state in ('moved', 'arriving') and m.id::text = current_setting('kafue.forgetting', true)
        and (
          m.id::text = gone ->> 'merchant_id'
          or exists (select from books b where b.merchant_id = m.id and b.id::text = gone ->> 'book_id')
        )
    );
end
$$;
create or replace function refuse_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if may_forget(tg_relid, to_jsonb(old)) then return old; end if;
  end if;
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end
$$;
create or replace function refuse_change_of_submitted_rows() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if may_forget(tg_relid, to_jsonb(old)) then return old; end if;
  end if;
  if exists (
    select from payout_files f
    where f.book_id = old.book_id and f.id = old.file_id and f.state not in ('checking', 'draft')
  ) then
    raise exception 'the rows of payout file % are submitted and cannot change', old.file_id
      using errcode = 'restrict_violation';
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end $$;
create or replace function refuse_change_of_submitted_file() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if may_forget(tg_relid, to_jsonb(old)) then return old; end if;
  end if;
  raise exception 'payout file % is submitted and cannot change', old.id using errcode = 'restrict_violation';
end $$;

-- Deletes up to `rows_max` rows of a table, and says how many went. The merchant itself goes last, when nothing refers
-- to it any more.
create function forget_rows(merchant uuid, from_table text, rows_max integer) returns bigint
language plpgsql as $$
declare
  gone bigint;
begin
  if not exists (select from merchants where id = merchant and state in ('moved', 'arriving')) then
    raise exception 'only a merchant that has moved can be forgotten' using errcode = 'restrict_violation';
  end if;
  perform set_config('kafue.forgetting', merchant::text, true), set_config('kafue.moving', merchant::text, true);
  execute format(
    case from_table
      when 'merchants' then 'delete from %1$I where id = $1'
      when 'books' then 'delete from %1$I where merchant_id = $1'
      when 'acts' then
        'delete from %1$I where ctid = any (array(select ctid from %1$I where merchant_id = $1 limit $2))'
      else
        'delete from %1$I where ctid = any (array(
           select t.ctid from %1$I t where t.book_id in (select id from books where merchant_id = $1) limit $2
         ))'
    end, from_table
  ) using merchant, rows_max;
  get diagnostics gone = row_count;
  perform set_config('kafue.forgetting', '', true), set_config('kafue.moving', '', true);
  return gone;
end
$$;
revoke execute on function forget_rows(uuid, text, integer) from public;
