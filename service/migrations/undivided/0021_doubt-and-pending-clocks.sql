-- When a transfer was first in doubt, and when its operator first said that it has it, by the database's own clock.
-- Neither ends before the transfer does: an operator that says "pending" and nothing in turns would else be asked
-- for ever, and no person would ever look.
alter table transfers
  add column first_doubt_at timestamptz,
  add column first_pending_at timestamptz;
update transfers set first_doubt_at = coalesce(doubt_began_at, now()) where state = 'in_doubt';
update transfers set first_pending_at = now() where state = 'submitted';
