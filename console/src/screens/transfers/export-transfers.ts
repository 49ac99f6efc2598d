import { send } from '../../api/call.ts';

/** The header of an answer in CSV that names the next page. */
const NEXT_CURSOR_HEADER = 'x-next-cursor';
const PAGE_ROWS_MAX = 100;

type Given = Readonly<{
  bookId: string;
  /** One question for each: a filter, or references that were selected. */
  questions: readonly Readonly<Record<string, string>>[];
  onRows: (rows: number) => void;
  signal: AbortSignal;
}>;

/**
 * Reads every page as CSV and puts them together. The browser keeps what a Blob holds outside the page's memory, so a
 * large export does not make the page slow.
 */
export async function exportTransfers({ bookId, questions, onRows, signal }: Given): Promise<Blob> {
  const parts: Blob[] = [];
  let rows = 0;
  for (const question of questions) {
    let cursor: string | undefined;
    do {
      const answer = await send({
        path: '/payments/transfers',
        query: { ...question, limit: PAGE_ROWS_MAX, cursor },
        bookId,
        headers: { accept: 'text/csv' },
        signal,
      });
      cursor = answer.headers.get(NEXT_CURSOR_HEADER) ?? undefined;
      const text = await answer.text();
      // The first line names the columns: it is needed once.
      const headEnd = text.indexOf('\n') + 1;
      parts.push(new Blob([parts.length === 0 ? text : text.slice(headEnd)]));
      rows += countRecords(text) - 1;
      onRows(rows);
    } while (cursor !== undefined);
  }
  return new Blob(parts, { type: 'text/csv' });
}

/** Lines inside quotes belong to a cell. */
function countRecords(csv: string): number {
  let records = 0;
  let isQuoted = false;
  for (const letter of csv) {
    if (letter === '"') isQuoted = !isQuoted;
    else if (letter === '\n' && !isQuoted) records += 1;
  }
  return records;
}

/** Gives the file to the reader. */
export function saveFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
