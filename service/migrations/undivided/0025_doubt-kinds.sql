-- Why a transfer is in doubt, as of the last answer: a code of domain/doubt-kind.ts. Null where it is not in doubt, or
-- was before this was kept; then it is derived from what else is known (transfers/doubt-kind-column.ts).
alter table transfers
  add column doubt_kind text check (doubt_kind in (
    'SUBMISSION_LOST', 'SUBMISSION_THROTTLED', 'SUBMISSION_INTERRUPTED', 'RESUBMISSION_KNOWN', 'RESUBMISSION_REFUSED',
    'NOT_FOUND', 'OPERATOR_SILENT', 'UNREADABLE_ANSWER', 'DUPLICATE_REFERENCE', 'PENDING_TOO_LONG', 'CONTRADICTED',
    'ACCOUNT_CHANGED', 'CANNOT_BE_ASKED'
  ));
