-- Most books are small and a few are very large. From the average, the planner concludes that a book has hardly more
-- than one row. Then every index that begins with the book looks as good as the one with the whole key, and the
-- statement that records outcomes read all transfers of a large book for each transfer. With a fixed, small number of
-- books the planner expects each to be large, and takes the index with the whole key. The same holds for the rows of
-- payout files.
alter table transfers alter column book_id set (n_distinct = 10);
alter table deliveries alter column book_id set (n_distinct = 10);
alter table recipients alter column book_id set (n_distinct = 10);
alter table payout_file_rows
  alter column book_id set (n_distinct = 10),
  alter column file_id set (n_distinct = 10);

-- The setting takes effect with the next statistics.
analyze transfers, deliveries, recipients, payout_file_rows;
