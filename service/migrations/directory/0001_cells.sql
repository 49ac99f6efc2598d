-- Where merchants are. A cell is a schema: on this server, or on the one whose address is in an environment variable.
create table cells (
  name text primary key check (name ~ '^[a-z][a-z0-9_]{0,39}$'),
  schema text not null check (schema ~ '^[a-z][a-z0-9_]{0,49}$'),
  -- The name of the variable, never the address, which has a password. Null: this server.
  url_variable text check (url_variable ~ '^[A-Z][A-Z0-9_]{0,99}$'),
  created_at timestamptz not null,
  -- No new merchants are placed in it.
  closed_at timestamptz
);
create unique index cells_place on cells (coalesce(url_variable, ''), schema);
insert into cells (name, schema, created_at) values ('main', 'public', now());

alter table merchants
  add column cell text not null default 'main' references cells (name),
  -- Grows with each move to another cell.
  add column epoch integer not null default 1 check (epoch > 0);
alter table merchants alter column cell drop default;

-- The functions of the directory's triggers are its own: a cell may be closed and dropped.
create function raise_access_version() returns trigger language plpgsql as $$
begin
  update directory.access_version set version = version + 1;
  return null;
end
$$;
drop trigger api_keys_access on api_keys;
create constraint trigger api_keys_access
  after delete or update of book_id, id, hash, scopes, addresses, expires_at, revoked_at on api_keys
  deferrable initially deferred for each row execute function raise_access_version();

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end
$$;
create trigger acts_append_only before delete or update on acts for each row execute function refuse_change();
create trigger acts_no_truncate before truncate on acts for each statement execute function refuse_change();
