-- What an operator owes or is owed is kept by route: the same operator can be reached directly and through a provider,
-- and the two settle apart. Payouts that settled before keep their account, 'clearing:mtn:zm'.
-- Not validated: the rows there are fit the narrower checks before, and reading them all would hold up every payout.
alter table postings
  drop constraint postings_from_account_check,
  drop constraint postings_to_account_check,
  add constraint postings_from_account_check check (char_length(from_account) between 1 and 80) not valid,
  add constraint postings_to_account_check check (char_length(to_account) between 1 and 80) not valid;
