-- What an operator told otherwise than it was sent, in an answer or in a callback: kept with the transfer, so that a
-- restart, another process or another route does not forget it. Only an answer that speaks to the same point,
-- or two people, may end such a transfer as succeeded.
alter table transfers
  add column contradictions text[] not null default '{}'
    check (contradictions <@ array['amount', 'currency', 'number', 'reference']);

-- What a callback tells of a payout, to be compared with the transfer once it is known. Null: it tells nothing of it.
alter table callbacks
  add column told_amount_minor bigint,
  add column told_currency text check (char_length(told_currency) <= 10),
  add column told_phone text check (char_length(told_phone) <= 20);
