-- What the service itself may do in the copy of the directory on another server. It keeps that copy itself, so it may
-- write all of it, and a trigger refuses statements that do so by mistake. It owns no table. Nothing is decided here:
-- grants/directory.sql says what it may change in the directory.
--
-- Applied by `npm run admin -- cells add`, and again after each migration. By hand:
--   psql -v role=kafue_service -v schema=directory -f service/grants/directory-copy.sql

revoke all on all tables in schema :"schema" from :"role";
grant usage on schema :"schema" to :"role";

grant select on migrations to :"role";
grant select, update on copy_position to :"role";
grant select, insert, update, delete on
  people, api_keys, merchant_roles, staff_roles, route_holds, holidays, holiday_versions, access_version,
  approval_checks
to :"role";
