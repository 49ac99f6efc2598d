-- Passkeys: password and second factor in one. The private key never leaves the person's device.
create table passkeys (
  id uuid primary key,
  person_id uuid not null references people (id),
  credential_id bytea not null unique check (octet_length(credential_id) between 1 and 1023),
  -- A COSE key.
  public_key bytea not null check (octet_length(public_key) between 1 and 2000),
  -- How often the device says that it signed; 0: it does not count.
  counter bigint not null check (counter between 0 and 4294967295),
  name text not null check (char_length(name) between 1 and 80),
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index passkeys_of_person on passkeys (person_id);

-- What a browser must bring back, once and soon: the challenge that a passkey signs, or the hash of the cookie
-- with which single sign-on began.
create table challenges (
  id uuid primary key,
  purpose text not null check (purpose in ('add_passkey', 'passkey_sign_in', 'passkey_step_up', 'single_sign_on')),
  -- Null: the person is not known yet.
  person_id uuid references people (id),
  value bytea not null check (octet_length(value) = 32),
  -- Of single sign-on: the page of the console to go on with.
  return_to text check (char_length(return_to) between 1 and 2000),
  expires_at timestamptz not null
);
create index challenges_of_purpose on challenges (purpose, person_id, expires_at);
create index challenges_by_end on challenges (expires_at);
