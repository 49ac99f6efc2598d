import { formatCsvLine } from '../../../../service/src/domain/format-csv.ts';
import type { Page as ListPage } from '../../api/page.ts';
import type { Act } from '../../api/staff-types.ts';
import { audit } from '../../texts/en/audit.ts';

const PAGE_ROWS = 100;
/** A file that people can open; a period makes a larger log fit. */
const EXPORT_ROWS_MAX = 10_000;

type AuditPage = ListPage<Act> & Readonly<{ unansweredCells?: readonly string[] }>;

type Given = Readonly<{
  read: (query: Readonly<Record<string, string | number | undefined>>) => Promise<AuditPage>;
  query: Readonly<Record<string, string>>;
  onRows: (rows: number) => void;
}>;

type Exported = Readonly<{ csv: string; rows: number; isWhole: boolean }>;

/**
 * Reads the acts that the filters leave, newest first, as CSV. Pages go on by time: what a cell that did not answer has
 * done would be skipped for good, so there is no file then, but the names of the cells.
 */
export async function exportActs({
  read,
  query,
  onRows,
}: Given): Promise<Exported | Readonly<{ missing: readonly string[] }>> {
  const lines: string[] = [formatCsvLine(audit.export.columns)];
  let cursor: string | undefined;
  do {
    const page = await read({ ...query, limit: PAGE_ROWS, cursor });
    const { items, nextCursor, unansweredCells: missing = [] } = page;
    if (missing.length > 0) return { missing };
    lines.push(...items.map(lineOf));
    onRows(lines.length - 1);
    cursor = nextCursor ?? undefined;
  } while (cursor !== undefined && lines.length <= EXPORT_ROWS_MAX);
  return { csv: lines.join(''), rows: lines.length - 1, isWhole: cursor === undefined };
}

function lineOf({ id, at, actor, kind, subject, merchant, bookId, reason, before, after }: Act) {
  return formatCsvLine([
    id,
    at,
    actor.kind,
    actor.id,
    actor.name,
    kind,
    subject,
    merchant?.id ?? null,
    merchant?.name ?? null,
    bookId,
    reason,
    before === null ? null : JSON.stringify(before),
    after === null ? null : JSON.stringify(after),
  ]);
}
