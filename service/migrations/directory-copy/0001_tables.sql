-- What statements of a cell read of the directory, on a server that is not the directory's. cells/copy-directory.ts
-- keeps it; nothing else may write it.

create table copy_position (
  id boolean primary key default true check (id),
  -- Of which installation it is a copy. Null: it was never filled.
  installation uuid,
  -- The last change that it has, by the log of the directory. Null: it must be filled anew.
  number bigint,
  token uuid,
  -- Which tables and columns it was filled with: cells/directory-tables.ts.
  layout integer not null default 0
);
insert into copy_position default values;

create table people (
  id uuid primary key,
  name text not null,
  removed_at timestamptz
);

create table api_keys (
  book_id uuid not null,
  id uuid not null,
  hash bytea not null unique,
  hint text not null,
  name text not null,
  scopes text[] not null,
  addresses cidr[] not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  -- Always null here.
  last_used_at timestamptz,
  created_by uuid,
  created_by_name text,
  confirm_until timestamptz,
  confirmed_by uuid,
  confirmed_at timestamptz,
  primary key (book_id, id)
);

create table merchant_roles (
  person_id uuid not null,
  merchant_id uuid not null,
  role text not null,
  book_id uuid,
  given_at timestamptz not null,
  unique nulls not distinct (person_id, merchant_id, role, book_id)
);
create index merchant_roles_of_merchant on merchant_roles (merchant_id);

create table staff_roles (
  person_id uuid not null,
  role text not null,
  given_at timestamptz not null,
  primary key (person_id, role)
);

create table route_holds (
  route text primary key,
  held_by uuid not null,
  reason text not null,
  held_at timestamptz not null,
  effect text not null
);

create table holidays (
  country text not null,
  day date not null,
  name text not null,
  source text not null,
  entered_by uuid,
  entered_by_name text,
  entered_at timestamptz not null,
  primary key (country, day)
);

create table holiday_versions (
  country text primary key,
  version integer not null
);

create table access_version (
  id boolean primary key,
  version bigint not null
);

-- A statement that was meant for the directory must not change the copy unnoticed.
create function refuse_other_writers() returns trigger language plpgsql as $$
begin
  if current_setting('kafue.copies_directory', true) is distinct from 'on' then
    raise exception '% is a copy: write it in the directory', tg_table_name using errcode = 'restrict_violation';
  end if;
  return null;
end
$$;
do $$
declare
  copied text;
begin
  foreach copied in array array[
    'copy_position', 'people', 'api_keys', 'merchant_roles', 'staff_roles', 'route_holds', 'holidays',
    'holiday_versions', 'access_version'
  ] loop
    execute format(
      'create trigger refuse_other_writers before insert or update or delete or truncate on %I '
      'for each statement execute function directory.refuse_other_writers()', copied
    );
  end loop;
end
$$;
