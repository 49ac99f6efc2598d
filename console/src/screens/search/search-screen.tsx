import { useQuery } from '@tanstack/react-query';
import { Link, Navigate, useSearch } from '@tanstack/react-router';
import type { SearchAnswer } from '../../api/transfer-types.ts';
import { useBookApi } from '../../app/book-api.ts';
import { Page } from '../../app/page.tsx';
import { useBook, useBookKey } from '../../app/session.ts';
import { Card } from '../../parts/card.tsx';
import { Empty } from '../../parts/empty.tsx';
import { PartFailed } from '../../parts/failure.tsx';
import { LoadingRows } from '../../parts/loading.tsx';
import { Table } from '../../parts/table.tsx';
import { shell } from '../../texts/en/shell.ts';
import { transfers as texts } from '../../texts/en/transfers.ts';
import { COLUMNS_AT_FIRST, transferColumns } from '../transfers/transfer-columns.tsx';
import { findRest } from './find-rest.ts';

/** What was found for a text. One hit opens at once; several are listed. */
export default function SearchScreen() {
  const { q = '' } = useSearch({ strict: false }) as { q?: string };
  const book = useBook();
  const api = useBookApi();
  const key = useBookKey();
  const found = useQuery({
    queryKey: key('search', q),
    queryFn: ({ signal }) => api<SearchAnswer>({ path: '/search', query: { q }, signal }),
    enabled: q !== '',
  });
  const items = found.data?.items ?? [];
  const [only] = items;
  const rest = found.data === undefined ? undefined : findRest(found.data);
  if (only !== undefined && items.length === 1) {
    return <Navigate to={`/b/${book.id}/transfers/${only.id}`} replace />;
  }
  return (
    <Page
      title={texts.search.title}
      intro={
        rest !== undefined ? (
          <>
            {texts.search.newest(items.length, q)}{' '}
            <Link to={`/b/${book.id}/transfers`} search={rest}>
              {texts.search.toList}
            </Link>
          </>
        ) : items.length > 0 ? (
          texts.search.found(items.length, q)
        ) : undefined
      }
    >
      <Card>
        {found.isError ? (
          <PartFailed error={found.error} onRetry={() => void found.refetch()} />
        ) : found.data === undefined && q !== '' ? (
          <LoadingRows />
        ) : items.length > 0 ? (
          <Table
            caption={texts.search.caption}
            columns={transferColumns({ bookId: book.id, wallets: [], chosen: COLUMNS_AT_FIRST })}
            rows={items}
            idOf={({ id }) => id}
          />
        ) : (
          <Empty
            icon="search"
            title={
              found.data === undefined
                ? texts.search.nothingAsked
                : texts.search.none(
                    found.data.searched.as.map((kind) => texts.search.kinds[kind]),
                    q,
                    shell.inBook(book.merchant.name, book.mode),
                  )
            }
            actions={
              <Link className="btn" to={`/b/${book.id}/transfers`}>
                {texts.search.toList}
              </Link>
            }
          >
            {texts.search.noneDetail}
          </Empty>
        )}
      </Card>
    </Page>
  );
}
