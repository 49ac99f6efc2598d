-- Statements of a cell read a few tables of the directory. A server with cells that is not this one has a copy of them
-- (migrations/directory-copy). Triggers log here what changes in them, and each copy takes it over in this order.

-- Tells the directory of this installation from those of others, which may have cells on the same server.
create table installation (
  id boolean primary key default true check (id),
  key uuid not null default gen_random_uuid()
);
insert into installation default values;

create table copies (
  -- The environment variable with the address of its server.
  url_variable text primary key check (url_variable ~ '^[A-Z][A-Z0-9_]{0,99}$'),
  -- The last change that it has. Null: it was never filled.
  number bigint,
  registered_at timestamptz not null default now()
);

create table changes (
  number bigint generated always as identity primary key,
  -- A directory that comes from a backup gives numbers once more, and other tokens.
  token uuid not null default gen_random_uuid(),
  -- Null: nothing changed. The log begins with such a row.
  table_name text check (char_length(table_name) <= 63),
  key jsonb,
  -- Null: the row is deleted.
  new_row jsonb,
  changed_at timestamptz not null default clock_timestamp(),
  check ((table_name is null) = (key is null))
);

-- Keeps a copy from being registered until the transaction ends. Where there are copies, also lets one transaction at a
-- time go on to its commit, so that numbers are in the order of commits. Returns whether there are copies.
create function enter_log() returns boolean language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(7246310601);
  if not exists (select from directory.copies) then
    return false;
  end if;
  perform pg_advisory_xact_lock(7246310602);
  return true;
end
$$;

create function pick(whole jsonb, names text[]) returns jsonb language sql immutable as $$
  select jsonb_object_agg(part.key, part.value) from jsonb_each(whole) as part where part.key = any (names)
$$;

-- The arguments of the trigger are the columns of the key, and all that a copy has.
create function log_change() returns trigger language plpgsql as $$
declare
  key_columns constant text[] := string_to_array(tg_argv[0], ' ');
  columns constant text[] := string_to_array(tg_argv[1], ' ');
  before jsonb;
  after jsonb;
begin
  if tg_op <> 'INSERT' then
    before := directory.pick(to_jsonb(old), columns);
  end if;
  if tg_op <> 'DELETE' then
    after := directory.pick(to_jsonb(new), columns);
  end if;
  if before is not distinct from after or not directory.enter_log() then
    return null;
  end if;
  if before is not null and directory.pick(before, key_columns) is distinct from directory.pick(after, key_columns) then
    insert into directory.changes (table_name, key) values (tg_table_name, directory.pick(before, key_columns));
  end if;
  if after is not null then
    insert into directory.changes (table_name, key, new_row)
    values (tg_table_name, directory.pick(after, key_columns), after);
  end if;
  return null;
end
$$;

-- Deferred, so that the lock of the log is held only while the transaction commits.
create procedure log_changes_of(logged regclass, key_columns text[], columns text[]) language plpgsql as $$
begin
  execute format(
    'create constraint trigger log_change after insert or delete or update of %s on %s '
    'deferrable initially deferred for each row execute function directory.log_change(%L, %L)',
    array_to_string(columns, ', '), logged, array_to_string(key_columns, ' '), array_to_string(columns, ' ')
  );
end
$$;

-- The same as in cells/directory-tables.ts. No passwords and addresses of people: no statement of a cell reads them.
call log_changes_of('people', '{id}', '{id,name,removed_at}');
-- Without last_used_at, which changes all the time.
call log_changes_of('api_keys', '{book_id,id}', '{book_id,id,hash,hint,name,scopes,addresses,created_at,expires_at,revoked_at,created_by,created_by_name,confirm_until,confirmed_by,confirmed_at}');
call log_changes_of('merchant_roles', '{person_id,merchant_id,role,book_id}', '{person_id,merchant_id,role,book_id,given_at}');
call log_changes_of('staff_roles', '{person_id,role}', '{person_id,role,given_at}');
call log_changes_of('route_holds', '{route}', '{route,held_by,reason,held_at,effect}');
call log_changes_of('holidays', '{country,day}', '{country,day,name,source,entered_by,entered_by_name,entered_at}');
call log_changes_of('holiday_versions', '{country}', '{country,version}');
call log_changes_of('access_version', '{id}', '{id,version}');

-- The log's lock comes before the version's row, as everywhere: two transactions could wait for each other otherwise.
create or replace function raise_access_version() returns trigger language plpgsql as $$
begin
  perform directory.enter_log();
  update directory.access_version set version = version + 1;
  return null;
end
$$;
