-- Until when the answers "not found" count that were heard in a doubt. They say that the operator was at work, so
-- they count only while it is asked as planned: whoever did not ask for an hour does not know whether the
-- operator stood still in that hour, with the payout in its queue. Null: they count.
alter table transfers add column answers_lapse_at timestamptz;
