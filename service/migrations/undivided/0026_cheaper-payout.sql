-- What a payout that comes alone paid for, since PostgreSQL sets these up anew for every statement: the checks of
-- the table, and the trigger that noted events for the feed. The five checks guarded counters that only grow and
-- codes from fixed lists of the service; those of money, states and references stay.
alter table transfers
  drop constraint transfers_unconfirmed_successes_check,
  drop constraint transfers_resubmissions_check,
  drop constraint transfers_contradictions_check,
  drop constraint transfers_route_account_check,
  drop constraint transfers_doubt_kind_check;

-- Statements that write events queue them for the feed themselves, and say so. A trigger queues what is written by
-- any other: a process of the version before, during a rolling restart, or a statement that forgets.
alter table events add column queued boolean;
drop trigger events_pending on events;
drop function note_pending_events();
create function queue_forgotten_event() returns trigger language plpgsql as $$
begin
  insert into feed_pending (book_ids, subject_ids, seqs)
  values (array[new.book_id], array[new.subject_id], array[new.seq]);
  return null;
end
$$;
create trigger events_queued after insert on events
  for each row when (new.type is not null and new.queued is not true)
  execute function queue_forgotten_event();
