-- A merchant is placed once its cell has it too. Before that it is not listed and gets no keys.
alter table merchants
  add column placed_at timestamptz,
  -- Who began to create it, and may finish that at once. Null: it was placed at once.
  add column begun_by text check (char_length(begun_by) between 1 and 500);
update merchants set placed_at = created_at;

-- How often the roles of a merchant were changed, for each of its books. Cells compare it with what they have looked at.
create table approval_checks (
  book_id uuid primary key,
  number bigint not null check (number > 0)
);

call log_changes_of('approval_checks', '{book_id}', '{book_id,number}');

create function write_server_log(line text) returns void language plpgsql as $$
begin
  raise log '%', line;
end
$$;
