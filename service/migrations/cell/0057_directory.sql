-- What is not one book's leaves the cell for the schema `directory`, which all cells of a server share: keys, people
-- and their sessions, administrators, routes that people stopped, holidays. The first cell of a server gives its tables
-- to it; another cell finds the directory there, and drops its own, which are empty. A cell keeps its merchants and
-- books, and records what people did in them. No reference crosses the border, since a cell may move to another server.
do $$
declare
  leaving constant text[] := array[
    'api_keys', 'administrators', 'people', 'sessions', 'challenges', 'passkeys', 'recovery_codes', 'totp_factors',
    'sign_in_attempts', 'staff_roles', 'merchant_roles', 'invitations', 'invitation_roles', 'preferences',
    'saved_views', 'sealing_keys', 'operator_credentials', 'route_holds', 'holidays', 'holiday_versions',
    'route_floats'
  ];
  crossing record;
  leaver text;
begin
  for crossing in
    select c.oid, f.conname
    from pg_constraint f
    join pg_class c on c.oid = f.conrelid
    join pg_class target on target.oid = f.confrelid
    where f.contype = 'f' and c.relnamespace = current_schema()::regnamespace
      and (c.relname::text = any (leaving)) <> (target.relname::text = any (leaving))
  loop
    execute format('alter table %s drop constraint %I', crossing.oid::regclass, crossing.conname);
  end loop;

  if to_regnamespace('directory') is not null then
    foreach leaver in array leaving loop
      execute format('drop table %I cascade', leaver);
    end loop;
    drop function keep_key_decisions();
    return;
  end if;

  create schema directory;
  foreach leaver in array leaving loop
    execute format('alter table %I set schema directory', leaver);
  end loop;
  alter function keep_key_decisions() set schema directory;

  create table directory.merchants (
    id uuid primary key,
    name text not null check (char_length(name) between 1 and 100),
    created_at timestamptz not null
  );
  create unique index merchants_name on directory.merchants (lower(name));
  insert into directory.merchants select id, name, created_at from merchants;
  create table directory.books (
    id uuid primary key,
    merchant_id uuid not null references directory.merchants (id),
    mode text not null check (mode in ('test', 'live')),
    created_at timestamptz not null,
    unique (merchant_id, mode)
  );
  insert into directory.books select id, merchant_id, mode, created_at from books;
  create table directory.access_version (like access_version including all);
  insert into directory.access_version select * from access_version;
  create table directory.acts (like acts including all);
end
$$;
