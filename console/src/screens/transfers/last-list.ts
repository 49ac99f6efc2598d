import type { Transfer } from '../../api/types.ts';

/**
 * The list that the reader saw last, so that the page of a transfer has links to the next, the previous and the list.
 */
type LastList = Readonly<{
  bookId: string;
  /** The filters, as in the address. */
  search: Readonly<Record<string, string>>;
  rows: readonly Transfer[];
}>;

let last: LastList | undefined;
const selections = new Map<string, ReadonlySet<string>>();

export function rememberList(list: LastList): void {
  last = list;
}

export function lastListOf(bookId: string): LastList | undefined {
  return last?.bookId === bookId ? last : undefined;
}

/** The transfers before and after this one in the list that the reader came from. */
export function neighboursOf(
  bookId: string,
  id: string,
): Readonly<{ newer: string | undefined; older: string | undefined }> {
  const rows = lastListOf(bookId)?.rows ?? [];
  const at = rows.findIndex((row) => row.id === id);
  if (at === -1) return { newer: undefined, older: undefined };
  return { newer: rows[at - 1]?.id, older: rows[at + 1]?.id };
}

/** A selection survives that a row is opened and left again. */
export function rememberSelection(list: string, ids: ReadonlySet<string>): void {
  if (ids.size === 0) selections.delete(list);
  else selections.set(list, ids);
}

export function selectionOf(list: string): ReadonlySet<string> {
  return selections.get(list) ?? new Set();
}
