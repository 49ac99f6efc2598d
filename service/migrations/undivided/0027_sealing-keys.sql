-- The keys that processes of this database seal secrets with, known by an id and a fingerprint from which the key
-- cannot be found. A process that has other keys could not open what these sealed, and does not start.
create table sealing_keys (
  id text primary key check (char_length(id) between 1 and 32),
  fingerprint bytea not null check (octet_length(fingerprint) = 32),
  -- The highest became known last: every process needs it.
  number integer not null unique check (number > 0),
  used_since timestamptz not null
);
