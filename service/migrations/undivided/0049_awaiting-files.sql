-- Payout files that wait for approval, in the order in which they came.
create index payout_files_awaiting on payout_files (book_id, id) where state = 'awaiting_approval';
