-- New operator references are derived from book and reference, so they are spread over the whole range of
-- UUIDs, and an index over all of them would be written at a different page for each transfer. Two
-- transfers cannot have the same one: (book_id, reference) is unique. So the unique index makes way for
-- two that stay small where they are written. Transfers of before keep the references they have.
alter table transfers drop constraint transfers_operator_reference_key;

-- What operators' calls are about nearly always.
create index transfers_unfinished_reference on transfers (operator_reference)
  where completed_at is null;

-- Late calls, and people who ask. Within an hour the references are spread, but the hours follow each
-- other: only the pages of the latest hour are written. A reference is looked for hour by hour.
create index transfers_finished_reference on transfers (
  date_bin(interval '1 hour', completed_at, timestamptz '2000-01-01 00:00:00+00'),
  operator_reference
) where completed_at is not null;
