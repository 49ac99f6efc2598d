-- The order of a book's events, for the feed and for webhooks. Events used to be ordered by the id of the
-- transaction that wrote them. A restored dump has new transaction ids, so old events were hidden and new
-- ones came before them.

-- No event may be written between the copy below and the trigger.
lock table events in access exclusive mode;

-- What statements have written and no batch has yet: one row for each statement, whatever its books. Written
-- with the events and deleted with the batches, so no event can be forgotten or placed twice.
create table feed_pending (
  id uuid primary key default gen_random_uuid(),
  written_at timestamptz not null default clock_timestamp(),
  -- The keys of the events, one array for each column.
  book_ids uuid[] not null check (cardinality(book_ids) > 0),
  subject_ids uuid[] not null check (cardinality(subject_ids) = cardinality(book_ids)),
  seqs integer[] not null check (cardinality(seqs) = cardinality(book_ids))
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
-- Ids do not compress, and trying to costs time.
alter table feed_pending alter column book_ids set storage external,
  alter column subject_ids set storage external, alter column seqs set storage external;

-- Some of a book's events in the order in which readers see them. Numbers grow with the time, also over what
-- a restored database has forgotten, so a reader that goes on from a number misses nothing that comes later.
create table feed_batches (
  book_id uuid not null,
  number bigint not null check (number > 0),
  subject_ids uuid[] not null check (cardinality(subject_ids) between 1 and 1000),
  seqs integer[] not null check (cardinality(seqs) = cardinality(subject_ids)),
  -- The transaction of events from before there were batches: cursors from then name it.
  old_xid xid8,
  primary key (book_id, number)
);
alter table feed_batches alter column subject_ids set storage external,
  alter column seqs set storage external;
create index feed_batches_old on feed_batches (book_id, old_xid, number) where old_xid is not null;

insert into feed_batches (book_id, number, subject_ids, seqs, old_xid)
select book_id, row_number() over (partition by book_id order by xid, part),
       array_agg(subject_id order by place), array_agg(seq order by place), xid
from (
  select book_id, xid, subject_id, seq, place, place / 500 as part
  from (
    select book_id, xid, subject_id, seq,
           row_number() over (partition by book_id, xid order by subject_id, seq) - 1 as place
    from events
    where type is not null
  ) placed
) parted
group by book_id, xid, part;

-- The last number that any book's batch has. Only what places events writes it, never a payout.
create table feed_clock (
  -- There is one row.
  id boolean primary key default true check (id),
  last_number bigint not null check (last_number >= 0)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
insert into feed_clock (last_number) select coalesce(max(number), 0) from feed_batches;

create trigger feed_batches_append_only before update or delete on feed_batches
  for each row execute function refuse_change();
create trigger feed_batches_no_truncate before truncate on feed_batches
  for each statement execute function refuse_change();

-- A trigger, so that no statement that writes events can leave it out.
create function note_pending_events() returns trigger language plpgsql as $$
begin
  insert into feed_pending (book_ids, subject_ids, seqs)
  select array_agg(w.book_id), array_agg(w.subject_id), array_agg(w.seq)
  from written w
  where w.type is not null
  having count(*) > 0;
  return null;
end
$$;
create trigger events_pending after insert on events
  referencing new table as written
  for each statement execute function note_pending_events();

drop index events_feed;
alter table events drop column xid;
