-- One number that grows with every change that ends or alters what a key opens. A process that knows
-- keys asks for this number alone, however many keys it knows, and reads a key again when the number
-- has grown.

create table access_version (
  -- There is one row.
  id boolean primary key default true check (id),
  version bigint not null check (version > 0)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 100);
insert into access_version (version) values (1);

create function raise_access_version() returns trigger language plpgsql as $$
begin
  update access_version set version = version + 1;
  return null;
end
$$;

-- Deferred to the commit: then this row is the last that a transaction locks, whatever it locked
-- before, so no two can wait for each other. New keys and books are in nobody's memory, and need none.
-- `last_used_at` is not on the list: noting the use of a key changes nothing about it.
create constraint trigger api_keys_access
  after update of book_id, id, hash, scopes, addresses, expires_at, revoked_at or delete on api_keys
  deferrable initially deferred
  for each row execute function raise_access_version();
create constraint trigger books_access
  after update of id, merchant_id, mode, fee_fixed_minor, fee_basis_points or delete on books
  deferrable initially deferred
  for each row execute function raise_access_version();
