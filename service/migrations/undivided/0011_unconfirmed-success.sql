-- How many answers in a row said that the operator paid, and did not tell what. Where an operator may tell it later,
-- the first such answer does not end a transfer.
alter table transfers
  add column unconfirmed_successes integer not null default 0 check (unconfirmed_successes >= 0);
