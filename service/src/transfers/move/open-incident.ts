import type { Contradiction } from '../../domain/next-step.ts';
import type { Transfer } from '../../domain/transfer.ts';
import type { Queryable, Statement } from '../../postgres/database.ts';

export type NewIncident = Readonly<{
  id: string;
  transfer: Pick<Transfer, 'bookId' | 'id'>;
  kind: string;
  detail: string;
  at: Date;
}>;

export type IncidentKind =
  | Contradiction
  | 'paid_before_sent'
  | 'paid_by_other_operator'
  | 'unclear_after_end';

/** What each kind says to people. The runbook "In doubt" says what to do about it. */
export const INCIDENT_DETAILS: Readonly<Record<IncidentKind, string>> = {
  mismatch_after_success:
    'The operator reports another payout than the one that is settled as paid.',
  paid_after_failure: 'The operator says that it paid a transfer whose hold was already released.',
  paid_before_sent: 'The operator says that it paid a transfer that was not sent yet.',
  paid_by_other_operator:
    'Another operator than the one that it was sent to says that it paid this transfer.',
  unclear_after_end:
    'After its end it was in question whether the operator returned or paid it. The operator was asked for 72 hours, and did not say.',
  refused_after_success:
    'The operator says that it did not pay a transfer that is settled as paid.',
};

/** Records a contradiction for a person. One that is already open is not recorded twice. */
export async function openIncident(database: Queryable, incident: NewIncident): Promise<void> {
  const { transfer, id, kind, detail, at } = incident;
  await database.query(OPEN, [transfer.bookId, id, transfer.id, kind, detail, at]);
}

const OPEN: Statement = {
  name: 'open-incident',
  text: `
    insert into incidents (book_id, id, transfer_id, kind, detail, opened_at)
    values ($1, $2, $3, $4, $5, $6)
    on conflict (book_id, transfer_id, kind) where closed_at is null do nothing`,
};
