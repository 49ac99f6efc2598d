import { send } from '../../api/call.ts';

const PAGE_ROWS = 100;
/** A file of 100,000 lines still opens in a spreadsheet. */
const PAGES_MAX = 1_000;
export const STATEMENT_ROWS_MAX = PAGE_ROWS * PAGES_MAX;

type Period = Readonly<{ from: string | undefined; to: string | undefined }>;

/** All pages of a statement as one CSV text. `isWhole` false: there were more than fit. */
export async function readStatement(
  bookId: string,
  walletId: string,
  period: Period,
): Promise<Readonly<{ text: string; isWhole: boolean }>> {
  const parts: string[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const answer = await send({
      path: `/payments/wallets/${walletId}/postings`,
      query: { ...period, limit: PAGE_ROWS, cursor },
      bookId,
      headers: { accept: 'text/csv' },
    });
    const text = await answer.text();
    // Every page begins with the line of column names; the file has it once.
    parts.push(page === 0 ? text : text.slice(text.indexOf('\n') + 1));
    cursor = answer.headers.get('x-next-cursor') ?? undefined;
    if (cursor === undefined) return { text: parts.join(''), isWhole: true };
  }
  return { text: parts.join(''), isWhole: false };
}

export function saveFile(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
