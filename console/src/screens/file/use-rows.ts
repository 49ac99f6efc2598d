import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Page } from '../../api/page.ts';
import type { PayoutFile, PayoutRow } from '../../api/payout-file-types.ts';
import { useBookApi } from '../../app/book-api.ts';
import { useBookKey } from '../../app/session.ts';

const PAGE_ROWS = 100;

export const ROW_VIEWS = ['first', 'correct', 'problems', 'all', 'dropped', 'refused'] as const;
export type RowView = (typeof ROW_VIEWS)[number];

type Asked = Readonly<{
  view: RowView;
  q: string | undefined;
  cursor: string | undefined;
}>;

type Filter = Readonly<{ problems?: 'true'; state?: string }>;

const FILTERS: Readonly<Record<RowView, Filter>> = {
  first: {},
  correct: { state: 'problem' },
  problems: { problems: 'true' },
  all: {},
  dropped: { state: 'dropped' },
  refused: { state: 'refused' },
};

/** A page of rows. "Problems first" shows rows to correct, then rows with warnings, then the others. */
export function useRows(file: PayoutFile, { view, q, cursor }: Asked) {
  const page = useRowPage(file, { ...FILTERS[view], q, cursor });
  // Once it is submitted nothing can be corrected: rows stand as in the file.
  const isFirst = view === 'first' && cursor === undefined && file.state === 'draft';
  const begin = { q, cursor: undefined };
  // Asked apart: a page of rows with warnings may end before the first row to correct.
  const wrong = useRowPage(file, { ...FILTERS.correct, ...begin }, isFirst);
  const warned = useRowPage(file, { ...FILTERS.problems, ...begin }, isFirst);
  const before = isFirst ? [wrong, warned] : [];
  // Each may fail: without the rows to correct, the others would load for ever.
  const failed = before.find(({ data, isError }) => data === undefined && isError) ?? page;
  return {
    ...page,
    isError: failed.isError,
    error: failed.error,
    isPlaceholderData: [page, ...before].some(({ isPlaceholderData }) => isPlaceholderData),
    refetch: () => Promise.all([page, ...before].map(({ refetch }) => refetch())),
    nextCursor: page.data?.nextCursor,
    rows: join([...before, page].map(({ data }) => data)),
  };
}

type Rows = readonly PayoutRow[];

/** Each row once, where it comes first; undefined: some are still to come. */
function join(pages: readonly (Page<PayoutRow> | undefined)[]): Rows | undefined {
  const rows = new Map<number, PayoutRow>();
  for (const page of pages) {
    if (page === undefined) return undefined;
    for (const row of page.items) if (!rows.has(row.number)) rows.set(row.number, row);
  }
  return [...rows.values()];
}

function useRowPage(
  { id, state }: PayoutFile,
  asked: Filter & Omit<Asked, 'view'>,
  enabled = true,
) {
  const api = useBookApi();
  const key = useBookKey();
  const query = { ...asked, limit: PAGE_ROWS };
  return useQuery({
    queryKey: key('payout-file', id, 'rows', query),
    queryFn: ({ signal }) =>
      api<Page<PayoutRow>>({ path: `/payout-files/${id}/rows`, query, signal }),
    placeholderData: keepPreviousData,
    // Rows that are being checked come by themselves when the check ends.
    enabled: enabled && state !== 'checking',
  });
}
