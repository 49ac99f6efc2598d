-- The same order may be submitted again under the same reference while its operator recognises it. When it left the
-- queue for the first submission, by the database's own clock; null: never, or before this was kept, and then it is
-- never submitted again.
alter table transfers
  add column first_submitted_at timestamptz,
  -- How often it was submitted again since.
  add column resubmissions smallint not null default 0 check (resubmissions >= 0),
  -- The last thing its operator said is that it took nothing.
  add column throttled boolean not null default false;

alter table attempts drop constraint attempts_purpose_check;
alter table attempts add constraint attempts_purpose_check
  check (purpose in ('submit', 'inquire', 'recall', 'resubmit')) not valid;
alter table attempts validate constraint attempts_purpose_check;
