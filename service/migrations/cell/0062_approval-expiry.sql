-- How long a payout waits for an approval that no rule asks for, because it is late or its number was denied. Set with the
-- policy that is in force; null: 7 days.
alter table books add column approval_expires_after_ms bigint check (approval_expires_after_ms > 0);
-- Also those of merchants that have moved away and are not forgotten yet.
alter table books disable trigger books_of_open;
update books b
set approval_expires_after_ms = 1000 * extract(epoch from (p.document ->> 'approvalExpiresAfter')::interval)
from (select distinct on (book_id) book_id, document from policies order by book_id, version desc) p
where p.book_id = b.id and p.document ->> 'approvalExpiresAfter' is not null;
alter table books enable trigger books_of_open;
