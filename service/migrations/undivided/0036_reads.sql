-- What people look for a payout by: the number that it paid, and the operator's receipt. Each entry costs every payout,
-- so neither index has a column more than its statements need.

-- The payouts to a number, newest first: the filter of the list, the search, what was paid to it lately.
create index transfers_of_phone on transfers (book_id, phone, id);

-- Only paid transfers have a receipt.
create index transfers_of_receipt on transfers (book_id, operator_transaction_id)
  where operator_transaction_id is not null;
