-- Readiness asks whether the database can write by inserting a row here and rolling it back. A row fills more than
-- half of a page, so that each asks for a new one: a full disk shows, although nothing is ever stored.
create table write_probes (
  filling text not null check (char_length(filling) <= 5000)
) with (autovacuum_vacuum_threshold = 50, autovacuum_vacuum_scale_factor = 0);
alter table write_probes alter column filling set storage plain;
