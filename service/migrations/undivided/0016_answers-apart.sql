-- From when on another answer "not found" counts: when the next question was planned for. A callback brings
-- questions forward, and two answers of the same second say no more than one of them. Null: it counts.
alter table transfers add column answers_count_from timestamptz;
