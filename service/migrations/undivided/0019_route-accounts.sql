-- The account with the operator under which a transfer was sent: a fingerprint of the settings that name it,
-- without secrets. The same route may lead to another account later, and what that one does not know proves
-- nothing. Null: never sent, sent by the sandbox, or before this was kept; then any answer counts.
alter table transfers add column route_account text check (char_length(route_account) between 1 and 64);
