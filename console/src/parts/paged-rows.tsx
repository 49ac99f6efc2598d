import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Page } from '../api/page.ts';
import type { useCursor } from '../app/cursor-pages.ts';
import { PartFailed } from './failure.tsx';
import { LoadingRows } from './loading.tsx';
import { Paging } from './table-strip.tsx';

type Given<Row> = Readonly<{
  found: UseQueryResult<Page<Row>>;
  paging: ReturnType<typeof useCursor>;
  /** Grey bars while it loads. */
  loadingRows: number;
  /** Below the rows: their order, or their count. */
  summary: ReactNode;
  /** In place of rows if there are none. */
  empty: ReactNode;
  /** Above the rows, and above `empty`. */
  above?: ReactNode;
  children: (rows: readonly Row[]) => ReactNode;
}>;

/** One page of a list inside a card: its rows and the paging, or that it loads, failed or is empty. */
export function PagedRows<Row>(given: Given<Row>) {
  const { found, paging, loadingRows, summary, empty, above, children } = given;
  const { data } = found;
  if (data === undefined) {
    return found.isError ? (
      <PartFailed error={found.error} onRetry={() => void found.refetch()} />
    ) : (
      <LoadingRows rows={loadingRows} />
    );
  }
  return (
    <>
      {above}
      {data.items.length === 0 ? (
        empty
      ) : (
        <>
          {children(data.items)}
          <Paging
            summary={summary}
            asOf={found.dataUpdatedAt}
            onNewer={paging.newer}
            onOlder={paging.older(data.nextCursor)}
          />
        </>
      )}
    </>
  );
}
