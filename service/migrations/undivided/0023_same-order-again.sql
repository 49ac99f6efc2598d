-- The same order may be submitted again under the same reference while its operator recognises it. When it left the
-- queue for the first submission, by the database's own clock. Null: never, or before this was kept, or a person asked
-- the operator to take it back. Then it is never submitted again.
alter table transfers
  add column first_submitted_at timestamptz,
  -- How often it was submitted again since.
  add column resubmissions smallint not null default 0 check (resubmissions >= 0),
  -- The last thing its operator said is that it took nothing.
  add column throttled boolean not null default false;

-- Not validated: the rows there are fit the narrower one before it, and reading them all would hold up every payout.
alter table attempts drop constraint attempts_purpose_check;
alter table attempts add constraint attempts_purpose_check
  check (purpose in ('submit', 'inquire', 'recall', 'resubmit')) not valid;
