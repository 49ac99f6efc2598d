alter table payout_files
  -- given: the references of its transfers are those that its rows have; derived: they are made from reference_name and
  -- the number of the row.
  add column row_references text not null default 'derived' check (row_references in ('derived', 'given')),
  -- Made from what survives the loss of the file here: from the uploaded bytes, or from schedule and period. Null until
  -- its first row is paid, and of files from before: their references have the end of the file's id.
  add column reference_name text check (reference_name ~ '^[0-9a-f]{12,64}$');
