-- A signed callback that ends a transfer is kept like the answer to an inquiry: callbacks themselves are deleted.
-- Not validated: the rows there are fit the narrower one before it, and reading them all would hold up every payout.
alter table attempts drop constraint attempts_purpose_check;
alter table attempts add constraint attempts_purpose_check
  check (purpose in ('submit', 'inquire', 'recall', 'resubmit', 'callback')) not valid;
