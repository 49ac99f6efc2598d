-- People with roles: of a merchant, or of the company that runs the service (staff). They and their sessions refer
-- to books by id alone: books may live in another database.

create table people (
  id uuid primary key,
  name text not null check (char_length(name) between 1 and 80),
  -- In lower case. Null: has an administrator's key and no way to sign in.
  email text unique check (email = lower(email) and char_length(email) between 3 and 254),
  -- Of argon2id, with its parameters. Null: signs in by single sign-on or a passkey, or not at all.
  password_hash text check (char_length(password_hash) between 1 and 300),
  created_at timestamptz not null,
  removed_at timestamptz
);

-- An administrator is a person of the staff with a key for the command line.
insert into people (id, name, created_at, removed_at)
select id, name, created_at, removed_at from administrators;
alter table administrators add foreign key (id) references people (id);

create table staff_roles (
  person_id uuid not null references people (id),
  role text not null check (role in ('admin', 'treasurer', 'support', 'auditor')),
  given_at timestamptz not null,
  primary key (person_id, role)
);
insert into staff_roles (person_id, role, given_at)
select id, 'admin', created_at from administrators where removed_at is null;

create table merchant_roles (
  person_id uuid not null references people (id),
  merchant_id uuid not null,
  role text not null check (role in ('owner', 'maker', 'approver', 'developer', 'viewer')),
  -- Null: in every book of the merchant.
  book_id uuid,
  given_at timestamptz not null,
  unique nulls not distinct (person_id, merchant_id, role, book_id)
);
create index merchant_roles_of_merchant on merchant_roles (merchant_id);

-- The second factors of a person. A code of TOTP is used once: `last_step` is the time step of the last one.
create table totp_factors (
  person_id uuid primary key references people (id),
  sealed_secret text not null check (char_length(sealed_secret) between 1 and 500),
  last_step bigint not null default 0,
  created_at timestamptz not null
);
create table recovery_codes (
  person_id uuid not null references people (id),
  hash bytea not null check (octet_length(hash) = 32),
  used_at timestamptz,
  primary key (person_id, hash)
);

create table sessions (
  id uuid primary key,
  -- The cookie itself is not kept.
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  person_id uuid not null references people (id),
  -- Whether a second factor was shown at sign-in, and when it was shown last.
  has_second_factor boolean not null,
  stepped_up_at timestamptz,
  address text not null check (char_length(address) between 1 and 60),
  user_agent text not null check (char_length(user_agent) <= 300),
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  check (expires_at > created_at)
);
create index sessions_of_person on sessions (person_id) where ended_at is null;

-- What people and keys did, not administrators alone. The name is the one at the time of the act.
alter table administrator_acts rename to acts;
alter index administrator_acts_by_time rename to acts_by_time;
alter index administrator_acts_of_merchant rename to acts_of_merchant;
alter trigger administrator_acts_append_only on acts rename to acts_append_only;
alter trigger administrator_acts_no_truncate on acts rename to acts_no_truncate;
alter table acts rename column administrator_id to actor_id;
alter table acts
  drop constraint administrator_acts_administrator_id_fkey,
  drop constraint administrator_acts_actor_kind_check,
  drop constraint administrator_acts_check,
  drop constraint administrator_acts_check1,
  add column book_id uuid;
alter table acts disable trigger acts_append_only;
update acts
set actor_kind = 'person', actor_name = (select p.name from people p where p.id = acts.actor_id)
where actor_kind = 'administrator';
alter table acts enable trigger acts_append_only;
alter table acts
  alter column actor_name set not null,
  add constraint acts_actor_kind_check check (actor_kind in ('person', 'key', 'machine', 'system')),
  add constraint acts_actor_id_check check ((actor_kind in ('person', 'key')) = (actor_id is not null));
create index acts_of_book on acts (book_id, acted_at) where book_id is not null;

alter table proposals
  drop constraint proposals_proposed_by_fkey,
  drop constraint proposals_ended_by_fkey,
  add foreign key (proposed_by) references people (id),
  add foreign key (ended_by) references people (id);
alter table take_backs
  drop constraint take_backs_proposed_by_fkey,
  drop constraint take_backs_ended_by_fkey,
  add foreign key (proposed_by) references people (id),
  add foreign key (ended_by) references people (id);
alter table route_holds
  drop constraint route_holds_held_by_fkey,
  add foreign key (held_by) references people (id);
