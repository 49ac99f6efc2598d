import type { ActFacts } from '../acts/act.ts';

/** A service outside that is asked about transfers. */
export type Screener = Readonly<{
  bookId: string;
  id: string;
  /** Rules ask for it by this name. */
  name: string;
  url: string;
  /** An answer that comes later is none. */
  deadlineMs: number;
  createdBy: Readonly<{ id: string; name: string }>;
  createdAt: Date;
}>;

/** Of one book, and of the company. */
export const SCREENERS_MAX = 10;
export const SCREENER_NAME_LENGTH_MAX = 60;
export const DEADLINE_MIN_MS = 100;
export const DEADLINE_MAX_MS = 10_000;
export const DEADLINE_DEFAULT_MS = 5_000;

/** A secret is sealed for its screener only: moved to another row, it does not open. */
export function screenerSecretPurpose({
  bookId,
  id,
}: Readonly<{ bookId: string; id: string }>): string {
  return `screener ${bookId} ${id}`;
}

/** What a screener is, for the record of acts. Without the query of its URL, which may hold a secret. */
export function screenerFacts({ name, url, deadlineMs }: Screener): ActFacts {
  const { origin, pathname } = new URL(url);
  return { name, url: origin + pathname, deadlineMs };
}

/** The columns of a screener as `s`. */
export const SCREENER_COLUMNS = `
  s.book_id, s.id, s.name, s.url, s.deadline_ms, s.created_by, s.created_by_name, s.created_at`;

export type ScreenerRow = {
  book_id: string;
  id: string;
  name: string;
  url: string;
  deadline_ms: number;
  created_by: string;
  created_by_name: string;
  created_at: Date;
};

export function toScreener(row: ScreenerRow): Screener {
  return {
    bookId: row.book_id,
    id: row.id,
    name: row.name,
    url: row.url,
    deadlineMs: row.deadline_ms,
    createdBy: { id: row.created_by, name: row.created_by_name },
    createdAt: row.created_at,
  };
}
