-- Files that wait to be checked or are being checked, by book: books take turns.
create index payout_files_checking on payout_files (book_id, next_action_at) where state = 'checking';
