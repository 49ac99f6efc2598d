import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Page } from '../../api/page.ts';
import type { PayoutFile, PayoutRow } from '../../api/payout-file-types.ts';
import { useBookApi } from '../../app/book-api.ts';
import { useBookKey } from '../../app/session.ts';

const PAGE_ROWS = 100;

export const ROW_VIEWS = ['first', 'problems', 'all', 'dropped', 'refused'] as const;
export type RowView = (typeof ROW_VIEWS)[number];

type Asked = Readonly<{
  view: RowView;
  q: string | undefined;
  cursor: string | undefined;
}>;

type Filter = Readonly<{ problems?: 'true'; state?: string }>;

const FILTERS: Readonly<Record<RowView, Filter>> = {
  first: {},
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
  const wrong = useRowPage(file, { ...FILTERS.problems, q, cursor: undefined }, isFirst);
  // Either may fail: without the rows to correct, the others would load for ever.
  const failed = isFirst && wrong.data === undefined && wrong.isError ? wrong : page;
  return {
    ...page,
    isError: failed.isError,
    error: failed.error,
    refetch: () => Promise.all([page.refetch(), ...(isFirst ? [wrong.refetch()] : [])]),
    nextCursor: page.data?.nextCursor,
    rows: isFirst ? join(wrong.data, page.data) : page.data?.items,
  };
}

type Rows = readonly PayoutRow[];

function join(
  wrong: Page<PayoutRow> | undefined,
  page: Page<PayoutRow> | undefined,
): Rows | undefined {
  if (wrong === undefined || page === undefined) return undefined;
  const numbers = new Set(wrong.items.map(({ number }) => number));
  const mustChange = ({ state }: PayoutRow) => state === 'problem';
  return [
    ...wrong.items.filter(mustChange),
    ...wrong.items.filter((row) => !mustChange(row)),
    ...page.items.filter(({ number }) => !numbers.has(number)),
  ];
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
