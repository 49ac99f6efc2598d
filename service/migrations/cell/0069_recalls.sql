-- How often its operator was asked, or may have been asked, to take it back. Until now a recall took the time of the first
-- submission away instead, and one that provably never left could not be told from one that did.
alter table transfers add column recalls smallint not null default 0;

-- Rows that a move holds too.
alter table transfers disable trigger transfers_moving;
-- By the keys of a few: all transfers are never read.
with recalled as materialized (
  select distinct a.book_id, a.subject::uuid as id from acts a
  where a.kind = 'TRANSFER_RECALLED' and a.subject ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
)
update transfers t set recalls = 1
from recalled r
where t.book_id = r.book_id and t.id = r.id
  and t.first_submitted_at is null and t.state in ('submitted', 'in_doubt', 'succeeded');
alter table transfers enable trigger transfers_moving;
