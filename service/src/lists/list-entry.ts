import type { ActFacts } from '../acts/act.ts';
import { maskPhone } from '../domain/phone-number.ts';

export const LISTS = ['allow', 'deny'] as const;
export type ListName = (typeof LISTS)[number];

/** A number that a merchant or the company allows or denies. */
export type ListEntry = Readonly<{
  bookId: string;
  id: string;
  list: ListName;
  phone: string;
  reason: string;
  author: PersonName;
  createdAt: Date;
  /** Null: until a person ends it. */
  expiresAt: Date | null;
  endedAt: Date | null;
  endedBy: PersonName | null;
  endReason: string | null;
}>;

type PersonName = Readonly<{ id: string; name: string }>;

export function isInForce({ endedAt, expiresAt }: ListEntry, at: Date): boolean {
  return endedAt === null && (expiresAt === null || expiresAt > at);
}

/** What an entry is, for the record of acts. The number is masked, as everywhere that more people read. */
export function entryFacts({ list, phone, reason, expiresAt }: ListEntry): ActFacts {
  return {
    list,
    phone: maskPhone(phone),
    reason,
    expiresAt: expiresAt?.toISOString() ?? null,
  };
}

/** The columns of an entry as `e`. */
export const ENTRY_COLUMNS = `
  e.book_id, e.id, e.list, e.phone, e.reason, e.created_by, e.created_by_name, e.created_at, e.expires_at,
  e.ended_at, e.ended_by, e.ended_by_name, e.end_reason`;

export type EntryRow = {
  book_id: string;
  id: string;
  list: ListName;
  phone: string;
  reason: string;
  created_by: string;
  created_by_name: string;
  created_at: Date;
  expires_at: Date | null;
  ended_at: Date | null;
  ended_by: string | null;
  ended_by_name: string | null;
  end_reason: string | null;
};

export function toEntry(row: EntryRow): ListEntry {
  const { ended_by: endedBy, ended_by_name: endedByName } = row;
  return {
    bookId: row.book_id,
    id: row.id,
    list: row.list,
    phone: row.phone,
    reason: row.reason,
    author: { id: row.created_by, name: row.created_by_name },
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    endedAt: row.ended_at,
    endedBy: endedBy === null ? null : { id: endedBy, name: endedByName ?? '' },
    endReason: row.end_reason,
  };
}
