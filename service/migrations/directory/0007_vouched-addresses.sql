-- When the issuer of single sign-on first vouched that the address is the person's. Null: it never did. An invitation's link
-- is seen by the inviter too, so what was set up before may be another person's.
alter table people
  add column vouched_at timestamptz,
  add constraint people_vouched_check check (vouched_at is null or email is not null);
