-- What the staff look at over all books, and what must stay impossible now that the service itself issues and revokes
-- keys for them.

-- The exchanges of the last hour. Block ranges, since exchanges are only ever added: an insert writes nothing here, and
-- a summary is made once for each range.
create index attempts_by_time on attempts using brin (ended_at) with (pages_per_range = 32, autosummarize = on);

-- Doubts by day. Few events are about a doubt, and the others do not touch the index.
create index events_of_doubts on events (created_at) where to_state = 'in_doubt' or from_state = 'in_doubt';

create index acts_of_subject on acts (subject, acted_at);

-- A key that was revoked stays revoked.
create function keep_revoked() returns trigger language plpgsql as $$
begin
  raise exception 'a revoked key stays revoked' using errcode = 'restrict_violation';
end
$$;
create trigger api_keys_stay_revoked before update on api_keys
  for each row when (old.revoked_at is not null and new.revoked_at is distinct from old.revoked_at)
  execute function keep_revoked();
