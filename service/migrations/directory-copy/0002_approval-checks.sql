create table approval_checks (
  book_id uuid primary key,
  number bigint not null
);
create trigger refuse_other_writers before insert or update or delete or truncate on approval_checks
  for each statement execute function directory.refuse_other_writers();
