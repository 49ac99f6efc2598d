import type { IncidentKind } from '../../domain/incident.ts';
import type { Transfer } from '../../domain/transfer.ts';
import type { Queryable, Statement } from '../../postgres/database.ts';

export type NewIncident = Readonly<{
  id: string;
  transfer: Pick<Transfer, 'bookId' | 'id'>;
  kind: IncidentKind;
  at: Date;
}>;

/** Records a contradiction for a person. One that is already open is not recorded twice. */
export async function openIncident(database: Queryable, incident: NewIncident): Promise<void> {
  const { transfer, id, kind, at } = incident;
  await database.query(OPEN, [transfer.bookId, id, transfer.id, kind, at]);
}

const OPEN: Statement = {
  name: 'open-incident',
  text: `
    insert into incidents (book_id, id, transfer_id, kind, opened_at)
    values ($1, $2, $3, $4, $5)
    on conflict (book_id, transfer_id, kind) where closed_at is null do nothing`,
};
