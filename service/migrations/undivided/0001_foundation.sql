-- Books, wallets, postings, transfers, recipients, events.
--
-- Every table of a book starts its primary key with book_id, and no foreign key, sequence or hot row
-- crosses books. The hot tables (transfers, postings, events) carry no foreign keys: their one writer
-- holds the wallet's row lock when it inserts, a key check per row would cost more than the insert,
-- and `admin ledger verify` checks the same promise from outside.

create table merchants (
  id uuid primary key,
  name text not null check (char_length(name) between 1 and 100),
  created_at timestamptz not null
);
create unique index merchants_name on merchants (lower(name));

create table books (
  id uuid primary key,
  merchant_id uuid not null references merchants (id),
  mode text not null check (mode in ('test', 'live')),
  fee_fixed_minor bigint not null default 0 check (fee_fixed_minor between 0 and 100000000000),
  fee_basis_points integer not null default 0 check (fee_basis_points between 0 and 10000),
  created_at timestamptz not null,
  unique (merchant_id, mode)
);

create table api_keys (
  book_id uuid not null references books (id),
  id uuid not null,
  hash bytea not null unique check (octet_length(hash) = 32),
  -- What a person may see of it: the beginning and the last four characters.
  hint text not null check (char_length(hint) between 1 and 40),
  name text not null check (char_length(name) between 1 and 100),
  scopes text[] not null check (
    cardinality(scopes) between 1 and 3
    and scopes <@ array['transfers:write', 'recipients:write', 'read']
  ),
  -- Empty: any address may use the key.
  addresses cidr[] not null default '{}' check (cardinality(addresses) <= 50),
  created_at timestamptz not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  primary key (book_id, id)
);

create table wallets (
  book_id uuid not null references books (id),
  id uuid not null,
  currency text not null check (currency in ('ZMW', 'NGN')),
  name text not null check (char_length(name) between 1 and 100),
  status text not null default 'active' check (status in ('active', 'frozen')),
  available_minor bigint not null default 0 check (available_minor >= 0),
  held_minor bigint not null default 0 check (held_minor >= 0),
  -- The number of the wallet's last posting: postings are counted without gaps under the wallet's lock.
  posting_seq bigint not null default 0 check (posting_seq >= 0),
  -- What may be held in one day (UTC); null is no limit.
  daily_limit_minor bigint check (daily_limit_minor > 0),
  day date not null default date '2000-01-01',
  day_total_minor bigint not null default 0 check (day_total_minor >= 0),
  created_at timestamptz not null,
  primary key (book_id, id)
) with (fillfactor = 40, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);

-- One immutable row that moves an amount from one account to another of the same book and currency.
-- 'available' and 'held' are the wallet's own two accounts; the others ('funding', 'fees',
-- 'clearing:mtn:zm') need no balance row, they are summed.
create table postings (
  book_id uuid not null,
  wallet_id uuid not null,
  seq bigint not null check (seq > 0),
  kind text not null check (
    kind in ('fund', 'hold', 'settle', 'fee', 'release', 'reverse', 'fee_return')
  ),
  from_account text not null check (char_length(from_account) between 1 and 60),
  to_account text not null check (char_length(to_account) between 1 and 60),
  amount_minor bigint not null check (amount_minor > 0),
  currency text not null check (currency in ('ZMW', 'NGN')),
  transfer_id uuid,
  funding_reference text check (char_length(funding_reference) between 1 and 100),
  available_after_minor bigint not null check (available_after_minor >= 0),
  held_after_minor bigint not null check (held_after_minor >= 0),
  created_at timestamptz not null,
  primary key (book_id, wallet_id, seq),
  check (from_account <> to_account),
  check ((kind = 'fund') = (funding_reference is not null)),
  check ((kind = 'fund') = (transfer_id is null))
);
create unique index postings_funding on postings (book_id, funding_reference)
  where funding_reference is not null;

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end
$$;
create trigger postings_append_only before update or delete on postings
  for each row execute function refuse_change();
create trigger postings_no_truncate before truncate on postings
  for each statement execute function refuse_change();

-- The transfer row is the job: state, operator reference, lease and the time of the next action.
create table transfers (
  book_id uuid not null,
  id uuid not null,
  wallet_id uuid not null,
  reference text not null check (char_length(reference) between 1 and 100),
  idempotency_key text check (char_length(idempotency_key) between 1 and 260),
  state text not null check (
    state in (
      'scheduled', 'awaiting_approval', 'queued', 'submitting', 'submitted', 'in_doubt',
      'succeeded', 'failed', 'cancelled', 'reversed'
    )
  ),
  amount_minor bigint not null check (amount_minor between 1 and 100000000000),
  fee_minor bigint not null check (fee_minor >= 0),
  currency text not null check (currency in ('ZMW', 'NGN')),
  phone text not null check (char_length(phone) between 8 and 16),
  operator text not null check (operator in ('airtel', 'mtn', 'zamtel', 'vodacom')),
  country text not null check (country in ('zm', 'ng')),
  recipient_name text check (char_length(recipient_name) <= 100),
  narration text check (char_length(narration) <= 100),
  operator_reference uuid not null unique,
  operator_transaction_id text check (char_length(operator_transaction_id) between 1 and 100),
  failure_code text check (char_length(failure_code) between 1 and 60),
  -- The number of the transfer's last event.
  event_seq integer not null check (event_seq > 0),
  -- The process that may act on the transfer until next_action_at; after that anybody may take over.
  lease_owner uuid,
  next_action_at timestamptz,
  in_doubt_since timestamptz,
  last_checked_at timestamptz,
  checks integer not null default 0 check (checks >= 0),
  not_found_answers integer not null default 0 check (not_found_answers >= 0),
  -- Set when the schedule of inquiries ran out: a person must look.
  flagged_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  completed_at timestamptz,
  primary key (book_id, id),
  unique (book_id, reference),
  check ((state in ('succeeded', 'failed', 'cancelled', 'reversed')) = (completed_at is not null)),
  check ((state = 'in_doubt') <= (in_doubt_since is not null)),
  check ((state in ('failed', 'cancelled')) = (failure_code is not null))
) with (
  fillfactor = 85,
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02
);
create unique index transfers_idempotency_key on transfers (book_id, idempotency_key)
  where idempotency_key is not null;
-- Live rows only, so that finished transfers cost the scanner nothing.
create index transfers_due on transfers (book_id, next_action_at) where next_action_at is not null;
create index transfers_flagged on transfers (book_id, flagged_at) where flagged_at is not null;

-- What happened, numbered per subject; a transfer's history is its events. The id of an event is made
-- of its subject and its number, so it needs no column.
create table events (
  book_id uuid not null,
  subject_id uuid not null,
  seq integer not null check (seq > 0),
  -- Null: part of the history, but nothing a merchant is told of.
  type text check (char_length(type) between 1 and 60),
  from_state text check (char_length(from_state) between 1 and 30),
  to_state text check (char_length(to_state) between 1 and 30),
  cause text not null check (char_length(cause) between 1 and 200),
  actor text not null check (char_length(actor) between 1 and 100),
  created_at timestamptz not null,
  primary key (book_id, subject_id, seq)
);
create trigger events_append_only before update or delete on events
  for each row execute function refuse_change();

create table recipients (
  book_id uuid not null references books (id),
  id uuid not null,
  phone text not null check (char_length(phone) between 8 and 16),
  operator text not null check (operator in ('airtel', 'mtn', 'zamtel', 'vodacom')),
  country text not null check (country in ('zm', 'ng')),
  account_name text check (char_length(account_name) <= 200),
  supplied_account_name text check (char_length(supplied_account_name) <= 100),
  name_match text check (name_match in ('match', 'close', 'mismatch')),
  resolution text not null check (resolution in ('resolved', 'pending')),
  resolve_attempts integer not null default 0 check (resolve_attempts >= 0),
  next_resolve_at timestamptz,
  created_at timestamptz not null,
  primary key (book_id, id),
  unique (book_id, phone, operator, country),
  check ((resolution = 'resolved') = (account_name is not null))
);
create index recipients_unresolved on recipients (next_resolve_at) where next_resolve_at is not null;
