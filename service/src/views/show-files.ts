import { formatMinor } from '../domain/money.ts';
import { eventKey, keyColumns, type ShowSubjects } from '../events/recorded-event.ts';
import type { Statement } from '../postgres/database.ts';

/** The fields of a payout file that never change once it is submitted. */
export type FileFacts = Readonly<{
  id: string;
  name: string;
  source: 'file' | 'schedule';
  rows: number;
  sumMinor: bigint;
  currency: string;
  walletId: string;
  contentHash: string;
  submittedAt: Date;
  payAt: Date | null;
}>;

export function renderFileFacts(file: FileFacts, state: string) {
  return {
    id: file.id,
    name: file.name,
    state,
    source: file.source,
    rows: file.rows,
    amount: formatMinor(file.sumMinor),
    currency: file.currency,
    walletId: file.walletId,
    contentHash: file.contentHash,
    submittedAt: file.submittedAt.toISOString(),
    payAt: file.payAt?.toISOString() ?? null,
  };
}

export type FileFactsRow = {
  book_id: string;
  id: string;
  name: string;
  source: 'file' | 'schedule';
  rows: number;
  sum_minor: bigint;
  currency: string;
  wallet_id: string;
  content_hash: string;
  submitted_at: Date;
  pay_at: Date | null;
};

/** The columns of `payout_files f` that toFileFacts reads. */
export const FILE_FACTS = `
  f.book_id, f.id, f.name, f.source, f.rows_total - f.rows_dropped as rows, f.sum_minor, f.currency, f.wallet_id,
  f.content_hash, f.submitted_at, f.pay_at`;

export function toFileFacts(row: FileFactsRow): FileFacts {
  return {
    id: row.id,
    name: row.name,
    source: row.source,
    rows: row.rows,
    sumMinor: row.sum_minor,
    currency: row.currency,
    walletId: row.wallet_id,
    contentHash: row.content_hash,
    submittedAt: row.submitted_at,
    payAt: row.pay_at,
  };
}

/** Files in the state to which their event moved them. */
export const showFiles: ShowSubjects = async (database, events) => {
  const rows = await database.query<FileFactsRow & { seq: number }>(READ, keyColumns(events));
  const states = new Map(events.map((event) => [eventKey(event), event.toState ?? '']));
  return new Map(
    rows.map((row) => {
      const key = eventKey({ bookId: row.book_id, subjectId: row.id, seq: row.seq });
      return [key, renderFileFacts(toFileFacts(row), states.get(key) ?? '')];
    }),
  );
};

const READ: Statement = {
  name: 'show-files',
  text: `
    select ${FILE_FACTS}, k.seq
    from unnest($1::uuid[], $2::uuid[], $3::integer[]) as k (book_id, id, seq)
    join payout_files f on f.book_id = k.book_id and f.id = k.id`,
};
