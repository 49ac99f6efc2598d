-- Tokens and sessions that operators gave a route, so that a process that starts, or another one beside it, goes on
-- with them. Sealed: what lies in a backup opens nothing without the keys of the service. All of it can be deleted at
-- any time; it is fetched anew.
create table operator_credentials (
  route text not null check (char_length(route) between 1 and 60),
  id uuid not null,
  -- A fingerprint of the account with the operator: another account's token is of no use.
  account text not null check (char_length(account) between 1 and 64),
  sealed bytea not null check (octet_length(sealed) between 1 and 16384),
  -- By the clock of the database, which all processes share.
  ready_at timestamptz not null,
  refresh_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (route, id)
);
