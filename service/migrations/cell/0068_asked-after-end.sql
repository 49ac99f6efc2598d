-- What failed or was cancelled and is being asked about, by book: it is not paid again meanwhile.
create index transfers_asked_after_end on transfers (book_id)
  where state in ('failed', 'cancelled') and next_action_at is not null;
