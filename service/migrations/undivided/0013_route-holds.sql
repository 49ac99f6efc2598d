-- Routes on which a person lets nothing be sent, as after a restore, until the operator's statement was
-- compared. Releasing one deletes the row; who did what when is in administrator_acts.
create table route_holds (
  route text primary key check (char_length(route) between 1 and 60),
  held_by uuid not null references administrators (id),
  reason text not null check (char_length(reason) between 1 and 500),
  held_at timestamptz not null
);
