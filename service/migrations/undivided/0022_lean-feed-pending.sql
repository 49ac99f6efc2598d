-- Every payout writes a row here that is deleted 100 ms later. Its key and its checks were two thirds of what
-- the row cost, and only note_pending_events() writes to it.
alter table feed_pending drop column id;
alter table feed_pending drop constraint feed_pending_book_ids_check,
  drop constraint feed_pending_check, drop constraint feed_pending_check1;
-- Without a key, logical replication needs the whole row to delete it.
alter table feed_pending replica identity full;
