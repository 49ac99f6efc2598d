-- Whether the session began by single sign-on. A second factor of the account that is shown in such a session is shown by the
-- person for whom the issuer vouches.
alter table sessions add column by_single_sign_on boolean not null default false;

-- The key of an administrator ends with the role of an admin, and an ended one is never good again: a person who is an admin
-- again gets another. The service itself may end keys, so the table holds this.
update administrators a set removed_at = now()
where a.removed_at is null
  and not exists (select from staff_roles r where r.person_id = a.id and r.role = 'admin');

create function keep_key_ended() returns trigger language plpgsql as $$
begin
  raise exception 'the key of an administrator has ended; give another' using errcode = 'restrict_violation';
end
$$;

create trigger administrators_keep_ended before update on administrators
  for each row
  when (
    old.removed_at is not null and new.removed_at is distinct from old.removed_at and new.key_hash = old.key_hash
  )
  execute function keep_key_ended();
