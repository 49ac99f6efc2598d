-- What the service itself may do in a cell that belongs to another role, and nothing else: it owns no
-- table, so it cannot empty or alter one or switch off its triggers. It writes what the staff decide by the API, never
-- what was decided: proposals and take-backs can begin and end, and nothing else of them changes.
--
-- Applied by `npm run admin -- database grant ROLE`, and again after each migration. By hand:
--   psql -v role=kafue_service -v schema=public -f service/grants/cell.sql

revoke all on all tables in schema :"schema" from :"role";
grant usage on schema :"schema" to :"role";

grant select on
  migrations, merchants, books, access_version, wallets, postings, transfers, events, attempts, callbacks,
  callback_usage, incidents, recipients, name_lookups, name_lookup_days, webhook_endpoints,
  webhook_endpoint_versions, deliveries, delivery_attempts, feed_pending, feed_batches, feed_clock,
  unmatched_payments, write_probes, acts, proposals, take_backs, transfer_metadata, book_controls,
  policy_counters
to :"role";

grant insert on
  postings, transfers, events, attempts, callbacks, callback_usage, incidents, recipients, name_lookups,
  name_lookup_days, webhook_endpoints, webhook_endpoint_versions, deliveries, delivery_attempts, feed_pending,
  feed_batches, unmatched_payments, write_probes, acts, merchants, transfer_metadata, book_controls,
  policy_counters
to :"role";

-- For the staff. A wallet begins empty, a book not suspended, and what one person proposes not ended.
grant insert (id, merchant_id, mode, fee_fixed_minor, fee_basis_points, created_at) on books to :"role";
grant insert (book_id, id, currency, name, created_at) on wallets to :"role";
grant insert (
  book_id, id, transfer_id, decision, receipt, evidence, event_seq, proposed_by, proposed_at, expires_at,
  contradictions
) on proposals to :"role";
grant insert (book_id, id, wallet_id, funded_seq, reason, proposed_by, proposed_at, expires_at) on take_backs to :"role";

-- Only what becomes of a transfer: what was ordered stays as it was stored.
grant update (
  state, route, route_account, contradictions, operator_transaction_id, failure_code, event_seq, lease_owner, next_action_at, in_doubt_since,
  doubt_kind, first_doubt_at, first_pending_at, first_submitted_at, resubmissions, recalls, throttled,
  doubt_began_at, answers_lapse_at, answers_count_from, unconfirmed_successes, last_checked_at, checks,
  not_found_answers, flagged_at, updated_at, completed_at
) on transfers to :"role";
grant update (
  available_minor, held_minor, posting_seq, day, day_total_minor, status, daily_limit_minor, low_balance_minor, controls_version
) on wallets to :"role";
grant update (fee_fixed_minor, fee_basis_points, suspended_at, send_late_within_ms, approval_expires_after_ms, controls_version)
  on books to :"role";
-- A lock needs it.
grant update on book_controls to :"role";
grant update (count, sum_minor) on policy_counters to :"role";
grant delete on policy_counters to :"role";
grant update (ended_at, ended_as, ended_by, second_evidence) on proposals to :"role";
grant update (ended_at, ended_as, ended_by, second_reason, returned_seq) on take_backs to :"role";
grant update (closed_at, closed_by, note) on incidents, unmatched_payments to :"role";
-- Written by the triggers of books, which run with the rights of the role.
grant update (version) on access_version to :"role";
grant update (calls, bytes) on callback_usage to :"role";
grant update (day, lookups) on name_lookup_days to :"role";
grant update (last_number) on feed_clock to :"role";
grant update on callbacks, recipients, webhook_endpoints, deliveries to :"role";

grant delete on callbacks, webhook_endpoints, feed_pending to :"role";

-- Triggers hold what was submitted.
grant select, insert, update, delete on payout_files, payout_file_rows to :"role";
grant select, insert, delete on payout_file_uploads to :"role";

grant select, insert on list_entries, screeners, screenings, screening_attempts to :"role";
grant update (ended_at, ended_by, ended_by_name, end_reason) on list_entries to :"role";
grant update (removed_at) on screeners to :"role";
grant update (attempts, lease_owner, next_attempt_at, decision, reason, decided_at) on screenings to :"role";

grant select, insert, delete on schedule_rows to :"role";
grant select, insert, update on schedules to :"role";
grant select, insert on schedule_occurrences to :"role";
grant update (waits_because, state, refusal_code, refusal_detail, refused_version, next_action_at) on schedule_occurrences to :"role";

grant select, insert on policies to :"role";
grant select, insert, update, delete on policy_drafts to :"role";
-- Decisions stay; what is looked at again, and what is flagged, comes and goes.
grant select, insert on approvals to :"role";
grant select, insert, delete on impossible_approvals to :"role";
grant select, insert, update on approval_checks_done to :"role";
