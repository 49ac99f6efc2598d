-- What the service itself may do in the directory, where that belongs to another role, and nothing else: it owns no
-- table, so it cannot empty or alter one or switch off its triggers. grants/cell.sql is the same for a cell.
--
-- Applied by `npm run admin -- database grant ROLE`, and again after each migration. By hand:
--   psql -v role=kafue_service -v schema=directory -f service/grants/directory.sql

revoke all on all tables in schema :"schema" from :"role";
grant usage on schema :"schema" to :"role";

grant select on
  migrations, cells, moves, merchants, books, api_keys, access_version, route_holds, operator_credentials, sealing_keys,
  people, staff_roles, merchant_roles, totp_factors, recovery_codes, sessions, sign_in_attempts, preferences,
  passkeys, challenges, acts, saved_views
to :"role";

grant insert on
  operator_credentials, sealing_keys, people, staff_roles, merchant_roles, totp_factors, recovery_codes,
  sessions, sign_in_attempts, preferences, passkeys, challenges, acts, saved_views, merchants, route_holds
to :"role";

grant insert on books to :"role";
-- A lock needs it: keys of a book are counted under one.
grant update (created_at) on books to :"role";
-- Once it is in its cell. A name that was never placed may be taken by another.
grant update (name, cell, created_at, placed_at) on merchants to :"role";
-- For the staff. A key begins not revoked.
grant insert (
  book_id, id, hash, hint, name, scopes, addresses, created_at, expires_at, created_by, created_by_name, rotated_by,
  confirm_until
) on api_keys to :"role";
grant update (last_used_at, revoked_at, confirmed_by, confirmed_at) on api_keys to :"role";
-- Written by the trigger of keys, which runs with the rights of the role.
grant update (version) on access_version to :"role";
grant update on
  people, staff_roles, merchant_roles, totp_factors, recovery_codes, sessions, sign_in_attempts, preferences,
  passkeys, challenges, saved_views
to :"role";

grant delete on
  operator_credentials, sealing_keys, staff_roles, merchant_roles, totp_factors, recovery_codes, sessions,
  sign_in_attempts, passkeys, challenges, saved_views, route_holds
to :"role";

-- The key of a person who is no admin any more ends. The service sees no hash of a key and makes none.
grant select (id, name, removed_at), update (removed_at) on administrators to :"role";

grant select, insert on invitations, invitation_roles to :"role";
grant update (ended_at, ended_as, accepted_by) on invitations to :"role";

grant select, insert, delete on holidays to :"role";
grant select on holiday_versions to :"role";
grant update (version) on holiday_versions to :"role";

grant select, insert, update on route_floats, route_hours, approval_checks to :"role";

-- Written by the triggers of the tables that other servers have copies of; each copy takes over what is there, and what
-- all of them have is deleted.
grant select on installation to :"role";
grant select, insert, delete on changes to :"role";
grant select, insert on copies to :"role";
grant update (number) on copies to :"role";
