-- Questions are taken screener by screener: one that hangs, with thousands that wait for it, delays no other.
drop index screenings_due;
create index screenings_due on screenings (book_id, screener, next_attempt_at) where next_attempt_at is not null;
