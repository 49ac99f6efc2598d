import type { Page as ListPage } from '../../api/page.ts';
import type { Act } from '../../api/staff-types.ts';
import { callStaff } from '../../app/staff-api.ts';
import { audit } from '../../texts/en/audit.ts';
import { quote } from './quote-cell.ts';

const PAGE_ROWS = 100;
/** A file that people can open; a period makes a larger log fit. */
const EXPORT_ROWS_MAX = 10_000;

type Given = Readonly<{
  query: Readonly<Record<string, string>>;
  onRows: (rows: number) => void;
}>;

/** Reads the acts that the filters leave, newest first, as CSV. */
export async function exportActs({
  query,
  onRows,
}: Given): Promise<Readonly<{ csv: string; rows: number; isWhole: boolean }>> {
  const lines: string[] = [audit.export.columns.join(',')];
  let cursor: string | undefined;
  do {
    const { items, nextCursor }: ListPage<Act> = await callStaff({
      path: '/audit',
      query: { ...query, limit: PAGE_ROWS, cursor },
    });
    lines.push(...items.map(lineOf));
    onRows(lines.length - 1);
    cursor = nextCursor ?? undefined;
  } while (cursor !== undefined && lines.length <= EXPORT_ROWS_MAX);
  const csv = `${lines.join('\r\n')}\r\n`;
  return { csv, rows: lines.length - 1, isWhole: cursor === undefined };
}

function lineOf({ id, at, actor, kind, subject, merchant, bookId, reason, before, after }: Act) {
  return [
    id,
    at,
    actor.kind,
    actor.id,
    actor.name,
    kind,
    subject,
    merchant?.id,
    merchant?.name,
    bookId,
    reason,
    before === null ? null : JSON.stringify(before),
    after === null ? null : JSON.stringify(after),
  ]
    .map((cell) => quote(cell ?? ''))
    .join(',');
}
