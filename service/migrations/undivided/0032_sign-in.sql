-- Failed sign-ins, shared by all processes so that each slows down what another has seen. A key is the hash of what is
-- counted: no e-mail address that was typed is kept.
create table sign_in_attempts (
  key bytea primary key check (octet_length(key) = 32),
  failures integer not null check (failures >= 0),
  failed_at timestamptz not null,
  -- Null, or past: the next attempt is looked at.
  waits_until timestamptz
);
create index sign_in_attempts_by_age on sign_in_attempts (failed_at);

-- From which networks a person signed in, and which sessions are old enough to forget.
create index sessions_of_person_by_age on sessions (person_id, created_at);

-- How a person wants the console to be.
create table preferences (
  person_id uuid primary key references people (id),
  preferences jsonb not null check (octet_length(preferences::text) <= 8192),
  changed_at timestamptz not null
);
