-- This and the next migration are applied in one transaction, and the next needs this lock: taken only there, each process of
-- the release before that has begun a statement meanwhile would deadlock with it.
lock table transfers in access exclusive mode;

-- What failed or was cancelled and is being asked about, by book: it is not paid again meanwhile.
create index transfers_asked_after_end on transfers (book_id)
  where state in ('failed', 'cancelled') and next_action_at is not null;
