-- Checks of single columns as domains. A CHECK of a table is read, planned and prepared anew by each statement that
-- writes to it; the checks of a domain are prepared once for each connection. With some forty of them a transfer that
-- is stored alone spent a quarter of the database's time on that.
--
-- No table is rewritten or read: each column gets a domain without a check, and the check is added afterwards. It is
-- "not valid" because it holds for the rows that are there: the checks that it replaces have seen to that.

create domain text_1_to_30 as text;
create domain text_1_to_60 as text;
create domain text_1_to_80 as text;
create domain text_1_to_100 as text;
create domain text_1_to_200 as text;
create domain text_1_to_260 as text;
create domain text_8_to_16 as text;
create domain text_up_to_100 as text;
create domain transfer_state as text;
create domain transfer_amount as bigint;
create domain payout_source as text;
create domain currency_code as text;
create domain country_code as text;
create domain operator_name as text;
create domain posting_kind as text;
create domain wallet_status as text;
create domain bigint_above_0 as bigint;
create domain bigint_from_0 as bigint;
create domain integer_above_0 as integer;
create domain integer_from_0 as integer;
create domain jsonb_array as jsonb;

drop trigger events_queued on events;

alter table transfers
  drop constraint transfers_reference_check,
  drop constraint transfers_idempotency_key_check,
  drop constraint transfers_state_check,
  drop constraint transfers_amount_minor_check,
  drop constraint transfers_fee_minor_check,
  drop constraint transfers_currency_check,
  drop constraint transfers_phone_check,
  drop constraint transfers_operator_check,
  drop constraint transfers_country_check,
  drop constraint transfers_recipient_name_check,
  drop constraint transfers_narration_check,
  drop constraint transfers_operator_transaction_id_check,
  drop constraint transfers_failure_code_check,
  drop constraint transfers_event_seq_check,
  drop constraint transfers_checks_check,
  drop constraint transfers_not_found_answers_check,
  drop constraint transfers_route_check,
  drop constraint transfers_policy_version_check,
  drop constraint transfers_rules_check,
  drop constraint transfers_approvals_needed_check,
  drop constraint transfers_source_check,
  alter column reference type text_1_to_100,
  alter column idempotency_key type text_1_to_260,
  alter column state type transfer_state,
  alter column amount_minor type transfer_amount,
  alter column fee_minor type bigint_from_0,
  alter column currency type currency_code,
  alter column phone type text_8_to_16,
  alter column operator type operator_name,
  alter column country type country_code,
  alter column recipient_name type text_up_to_100,
  alter column narration type text_up_to_100,
  alter column operator_transaction_id type text_1_to_100,
  alter column failure_code type text_1_to_60,
  alter column event_seq type integer_above_0,
  alter column checks type integer_from_0,
  alter column not_found_answers type integer_from_0,
  alter column route type text_1_to_60,
  alter column policy_version type integer_above_0,
  alter column rules type jsonb_array,
  alter column approvals_needed type jsonb_array,
  alter column source type payout_source;

alter table postings
  drop constraint postings_seq_check,
  drop constraint postings_kind_check,
  drop constraint postings_from_account_check,
  drop constraint postings_to_account_check,
  drop constraint postings_amount_minor_check,
  drop constraint postings_currency_check,
  drop constraint postings_funding_reference_check,
  drop constraint postings_available_after_minor_check,
  drop constraint postings_held_after_minor_check,
  alter column seq type bigint_above_0,
  alter column kind type posting_kind,
  alter column from_account type text_1_to_80,
  alter column to_account type text_1_to_80,
  alter column amount_minor type bigint_above_0,
  alter column currency type currency_code,
  alter column funding_reference type text_1_to_100,
  alter column available_after_minor type bigint_from_0,
  alter column held_after_minor type bigint_from_0;

alter table events
  drop constraint events_seq_check,
  drop constraint events_type_check,
  drop constraint events_from_state_check,
  drop constraint events_to_state_check,
  drop constraint events_cause_check,
  drop constraint events_actor_check,
  alter column seq type integer_above_0,
  alter column type type text_1_to_60,
  alter column from_state type text_1_to_30,
  alter column to_state type text_1_to_30,
  alter column cause type text_1_to_200,
  alter column actor type text_1_to_100;

alter table wallets
  drop constraint wallets_currency_check,
  drop constraint wallets_name_check,
  drop constraint wallets_status_check,
  drop constraint wallets_available_minor_check,
  drop constraint wallets_held_minor_check,
  drop constraint wallets_posting_seq_check,
  drop constraint wallets_daily_limit_minor_check,
  drop constraint wallets_day_total_minor_check,
  drop constraint wallets_low_balance_minor_check,
  drop constraint wallets_controls_version_check,
  alter column currency type currency_code,
  alter column name type text_1_to_100,
  alter column status type wallet_status,
  alter column available_minor type bigint_from_0,
  alter column held_minor type bigint_from_0,
  alter column posting_seq type bigint_from_0,
  alter column daily_limit_minor type bigint_above_0,
  alter column day_total_minor type bigint_from_0,
  alter column low_balance_minor type bigint_above_0,
  alter column controls_version type integer_above_0;

create trigger events_queued after insert on events
  for each row when (new.type is not null and new.queued is not true)
  execute function queue_forgotten_event();

alter domain text_1_to_30 add constraint text_1_to_30_check
  check (char_length(value) between 1 and 30) not valid;
alter domain text_1_to_60 add constraint text_1_to_60_check
  check (char_length(value) between 1 and 60) not valid;
alter domain text_1_to_80 add constraint text_1_to_80_check
  check (char_length(value) between 1 and 80) not valid;
alter domain text_1_to_100 add constraint text_1_to_100_check
  check (char_length(value) between 1 and 100) not valid;
alter domain text_1_to_200 add constraint text_1_to_200_check
  check (char_length(value) between 1 and 200) not valid;
alter domain text_1_to_260 add constraint text_1_to_260_check
  check (char_length(value) between 1 and 260) not valid;
alter domain text_8_to_16 add constraint text_8_to_16_check
  check (char_length(value) between 8 and 16) not valid;
alter domain text_up_to_100 add constraint text_up_to_100_check
  check (char_length(value) <= 100) not valid;
alter domain transfer_state add constraint transfer_state_check
  check (value in (
    'scheduled', 'awaiting_approval', 'queued', 'submitting', 'submitted', 'in_doubt', 'succeeded', 'failed', 'cancelled',
    'reversed'
  )) not valid;
alter domain transfer_amount add constraint transfer_amount_check
  check (value between 1 and 100000000000) not valid;
alter domain payout_source add constraint payout_source_check
  check (value in ('console', 'file', 'schedule')) not valid;
alter domain currency_code add constraint currency_code_check
  check (value in ('ZMW', 'NGN')) not valid;
alter domain country_code add constraint country_code_check
  check (value in ('zm', 'ng')) not valid;
alter domain operator_name add constraint operator_name_check
  check (value in ('airtel', 'mtn', 'zamtel', 'vodacom')) not valid;
alter domain posting_kind add constraint posting_kind_check
  check (value in ('fund', 'hold', 'settle', 'fee', 'release', 'reverse', 'fee_return', 'fund_return')) not valid;
alter domain wallet_status add constraint wallet_status_check
  check (value in ('active', 'frozen')) not valid;
alter domain bigint_above_0 add constraint bigint_above_0_check
  check (value > 0) not valid;
alter domain bigint_from_0 add constraint bigint_from_0_check
  check (value >= 0) not valid;
alter domain integer_above_0 add constraint integer_above_0_check
  check (value > 0) not valid;
alter domain integer_from_0 add constraint integer_from_0_check
  check (value >= 0) not valid;
alter domain jsonb_array add constraint jsonb_array_check
  check (jsonb_typeof(value) = 'array') not valid;
