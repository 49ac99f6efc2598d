-- Changes of roles are the directory's, and it counts them for each book (`approval_checks`, migrations/directory). A cell
-- keeps to which count it has looked at what waits, and from where on a look goes on.
alter table approval_checks rename to approval_checks_done;
alter index approval_checks_pkey rename to approval_checks_done_pkey;
alter trigger approval_checks_of_open on approval_checks_done rename to approval_checks_done_of_open;
alter table approval_checks_done
  -- The last count of the directory whose look has begun.
  add column number bigint not null default 0,
  -- Something of the cell itself asked for a look; null: nothing did.
  alter column asked_at drop not null;
create index approval_checks_under_way on approval_checks_done (book_id)
  where after is not null or asked_at is not null;

-- What a route paid in an hour is the sum of all cells, and kept with the float of the route. Other servers have no floats.
do $$
begin
  if to_regclass('directory.route_floats') is null or to_regclass('directory.route_hours') is not null then
    drop table route_hours;
    return;
  end if;
  alter table route_hours set schema directory;
end
$$;
