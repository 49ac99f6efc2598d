-- A payout file is a list of payouts that people prepare together: checked row by row, corrected, submitted, approved and
-- paid. Its rows become transfers when it is paid; until then nothing is held.
create table payout_files (
  book_id uuid not null references books (id),
  id uuid not null,
  name text not null check (char_length(name) between 1 and 200),
  -- What its transfers show as their source.
  source text not null check (source in ('file', 'schedule')),
  -- As it was uploaded; null: made from rows that are here already, such as the failed ones of another file.
  format text check (format in ('csv', 'xlsx')),
  upload_bytes integer check (upload_bytes between 0 and 20971520),
  upload_hash bytea check (octet_length(upload_hash) = 32),
  -- How the columns were read: [{"header", "field"}], field null where a column is not used.
  columns jsonb,
  -- The file whose failed rows these are.
  failed_rows_of uuid,
  -- The schedule that made it.
  schedule_id uuid,
  state text not null check (
    state in ('checking', 'draft', 'awaiting_approval', 'scheduled', 'paying', 'done', 'cancelled')
  ),
  -- Why it could not be read. Such a file stays a draft without rows.
  problem_code text check (char_length(problem_code) between 1 and 60),
  problem_detail text check (char_length(problem_detail) <= 300),
  -- Who made it: a person, or a key, whose maker then counts as its maker too. Both null: the service, by a schedule.
  made_by uuid,
  made_by_key uuid,
  made_by_name text not null check (char_length(made_by_name) between 1 and 300),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Null: not chosen yet. The country is that of numbers that are written without one.
  wallet_id uuid,
  country text check (country in ('zm', 'ng')),
  -- All rows are of one currency: that of the wallet, or else of the first row. Null: not known yet.
  currency text check (currency in ('ZMW', 'NGN')),
  -- Of its rows. They change with the rows, in the same transaction; `rows_total` is known once all rows were read.
  rows_total integer not null default 0 check (rows_total between 0 and 50000),
  rows_checked integer not null default 0 check (rows_checked between 0 and 50000),
  rows_problem integer not null default 0 check (rows_problem >= 0),
  rows_warned integer not null default 0 check (rows_warned >= 0),
  rows_dropped integer not null default 0 check (rows_dropped >= 0),
  rows_created integer not null default 0 check (rows_created >= 0),
  rows_refused integer not null default 0 check (rows_refused >= 0),
  -- Amounts without fees of the rows that are to be paid.
  sum_minor bigint not null default 0 check (sum_minor >= 0),
  -- Grows with every change of rows: what was read by an older number is not what is here now.
  version integer not null default 1 check (version > 0),
  -- The check of names: when it was asked for, by whom, and how far it is.
  names_asked_at timestamptz,
  names_asked_by text check (char_length(names_asked_by) between 1 and 100),
  names_total integer not null default 0 check (names_total >= 0),
  names_checked integer not null default 0 check (names_checked >= 0),
  -- From here on since it was submitted. What the content hash is over is frozen then.
  content_hash text check (content_hash ~ '^[0-9a-f]{64}$'),
  submitted_at timestamptz,
  submitted_by uuid,
  submitted_by_key uuid,
  submitted_by_name text check (char_length(submitted_by_name) between 1 and 300),
  pay_at timestamptz,
  policy_version integer,
  rules jsonb,
  approvals_needed jsonb,
  approval_expires_at timestamptz,
  paying_at timestamptz,
  ended_at timestamptz,
  ended_as text check (char_length(ended_as) between 1 and 60),
  -- The process that works on it, checking it, checking names or paying it, until next_action_at. Null: nothing is due.
  lease_owner uuid,
  next_action_at timestamptz,
  primary key (book_id, id),
  check ((state in ('checking', 'draft', 'cancelled')) or submitted_at is not null),
  check ((submitted_at is null) = (content_hash is null)),
  check ((state in ('done', 'cancelled')) = (ended_at is not null))
);
create index payout_files_due on payout_files (next_action_at) where next_action_at is not null;

create table payout_file_rows (
  book_id uuid not null,
  file_id uuid not null,
  -- 1 is the first row below the header.
  number integer not null check (number between 1 and 50000),
  -- Where the row is in the file: its line, or its row of the sheet.
  line integer not null check (line > 0),
  state text not null check (state in ('ready', 'problem', 'dropped', 'waiting', 'created', 'refused')),
  -- The cells of the columns that are used, as they were in the file: {"phone": "097 743 3571", …}. Never changed.
  cells jsonb not null,
  -- What was corrected, by field; null: nothing.
  corrections jsonb,
  -- What the cells and corrections mean; null where that is not known.
  phone text check (char_length(phone) between 8 and 16),
  operator text check (operator in ('airtel', 'mtn', 'zamtel', 'vodacom')),
  -- The operator was not given, and is the one that the number began with.
  operator_predicted boolean not null default false,
  country text check (country in ('zm', 'ng')),
  currency text check (currency in ('ZMW', 'NGN')),
  amount_minor bigint check (amount_minor between 1 and 100000000000),
  fee_minor bigint check (fee_minor >= 0),
  recipient_name text check (char_length(recipient_name) <= 100),
  narration text check (char_length(narration) <= 100),
  -- The merchant's own name for the row. The transfer's reference is derived from file and row.
  given_reference text check (char_length(given_reference) <= 100),
  -- [{"code", "field", "row"?}]: why it cannot be paid, and what is worth a look.
  problems jsonb not null default '[]',
  warnings jsonb not null default '[]',
  -- What the operator has for the number, once names were checked.
  account_name text check (char_length(account_name) <= 200),
  name_match text check (name_match in ('match', 'close', 'mismatch')),
  name_checked_at timestamptz,
  -- The transfer that this one is paid instead of.
  replaces uuid,
  -- Since the file is being paid: the derived reference, the transfer, or why there is none.
  reference text check (char_length(reference) between 1 and 100),
  transfer_id uuid,
  refusal_code text check (char_length(refusal_code) between 1 and 60),
  refusal_detail text check (char_length(refusal_detail) <= 300),
  primary key (book_id, file_id, number),
  check (state not in ('ready', 'waiting', 'created') or
    (phone is not null and operator is not null and country is not null and currency is not null
      and amount_minor is not null and fee_minor is not null)),
  check ((state = 'created') <= (transfer_id is not null)),
  check ((state = 'refused') = (refusal_code is not null))
);
-- Which rows have the same number, when one is corrected.
create index payout_file_rows_of_phone on payout_file_rows (book_id, file_id, phone);
create index payout_file_rows_waiting on payout_file_rows (book_id, file_id, number) where state = 'waiting';

-- What is submitted stays what it is: neither order nor cells of a row change, and no row goes, unless its file is being
-- checked or is a draft.
create function refuse_change_of_submitted_rows() returns trigger language plpgsql as $$
begin
  if exists (
    select from payout_files f
    where f.book_id = old.book_id and f.id = old.file_id and f.state not in ('checking', 'draft')
  ) then
    raise exception 'the rows of payout file % are submitted and cannot change', old.file_id
      using errcode = 'restrict_violation';
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end $$;
create trigger payout_file_rows_frozen before update on payout_file_rows for each row
  when (
    (old.number, old.line, old.cells, old.corrections, old.phone, old.operator, old.country, old.currency,
      old.amount_minor, old.fee_minor, old.recipient_name, old.narration, old.given_reference, old.replaces)
    is distinct from
    (new.number, new.line, new.cells, new.corrections, new.phone, new.operator, new.country, new.currency,
      new.amount_minor, new.fee_minor, new.recipient_name, new.narration, new.given_reference, new.replaces)
    or (old.state = 'dropped') <> (new.state = 'dropped')
  )
  execute function refuse_change_of_submitted_rows();
create trigger payout_file_rows_not_deleted before delete on payout_file_rows for each row
  execute function refuse_change_of_submitted_rows();

-- Nor does what was submitted change in the file itself, and only files that were never submitted can be deleted.
create function refuse_change_of_submitted_file() returns trigger language plpgsql as $$
begin
  raise exception 'payout file % is submitted and cannot change', old.id using errcode = 'restrict_violation';
end $$;
create trigger payout_files_frozen before update on payout_files for each row
  when (
    old.submitted_at is not null and
    (old.content_hash, old.submitted_at, old.submitted_by, old.submitted_by_key, old.wallet_id, old.pay_at,
      old.made_by, old.made_by_key, old.source, old.rows_total, old.rows_dropped, old.sum_minor)
    is distinct from
    (new.content_hash, new.submitted_at, new.submitted_by, new.submitted_by_key, new.wallet_id, new.pay_at,
      new.made_by, new.made_by_key, new.source, new.rows_total, new.rows_dropped, new.sum_minor)
  )
  execute function refuse_change_of_submitted_file();
create trigger payout_files_not_deleted before delete on payout_files for each row
  when (old.submitted_at is not null)
  execute function refuse_change_of_submitted_file();

-- An upload until its rows are stored: a check that was interrupted begins again from here.
create table payout_file_uploads (
  book_id uuid not null,
  file_id uuid not null,
  bytes bytea not null check (octet_length(bytes) <= 20971520),
  primary key (book_id, file_id)
);
-- Files are often compressed already, or are read once: compressing them again costs more than it saves.
alter table payout_file_uploads alter column bytes set storage external;
