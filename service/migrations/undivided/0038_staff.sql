-- What the staff look at over all books.

-- The exchanges of the last hour. Block ranges, since exchanges are only ever added: an insert writes nothing here, and
-- a summary is made once for each range.
create index attempts_by_time on attempts using brin (ended_at) with (pages_per_range = 32, autosummarize = on);

-- Doubts by day. Few events are about a doubt, and the others do not touch the index.
create index events_of_doubts on events (created_at) where to_state = 'in_doubt' or from_state = 'in_doubt';

create index acts_of_subject on acts (subject, acted_at);
