-- A call that is repeated after its answer was lost would make a second schedule, and every month would be paid twice. So a
-- name is that of one schedule until it has ended.
create unique index schedules_name on schedules (book_id, lower(name)) where state <> 'ended';
