-- A refusal that passes by itself, such as a frozen wallet, is tried again: a refused occurrence may be due too.
alter table schedule_occurrences drop constraint schedule_occurrences_check;
alter table schedule_occurrences add constraint schedule_occurrences_due check (
  case state when 'made' then next_action_at is not null when 'submitted' then next_action_at is null else true end
);
-- The version of the draft that was refused: one that a person changed since is that person's to submit.
alter table schedule_occurrences add column refused_version integer;

-- What people are shown until they have submitted or deleted the draft.
create index schedule_occurrences_refused on schedule_occurrences (book_id, schedule_id, pay_at)
  where state = 'refused';
