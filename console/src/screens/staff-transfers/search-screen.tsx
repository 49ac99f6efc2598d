import { Link, Navigate, useSearch } from '@tanstack/react-router';
import type { StaffSearch } from '../../api/staff-types.ts';
import { Page } from '../../app/page.tsx';
import { useStaffQuery } from '../../app/staff-api.ts';
import { Card } from '../../parts/card.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Table } from '../../parts/table.tsx';
import { staffTransfers } from '../../texts/en/staff-transfers.ts';
import { findRest } from '../search/find-rest.ts';
import { STAFF_TRANSFER_COLUMNS } from '../staff/transfer-columns.tsx';

const texts = staffTransfers.search;

/** Over all books. One hit opens at once; several are listed. */
export default function StaffSearchScreen() {
  const { q = '' } = useSearch({ strict: false }) as { q?: string };
  return q.trim() === '' ? (
    <Page title={texts.title}>
      <Card>
        <Empty icon="search" title={texts.nothingAsked}>
          {texts.noneDetail}
        </Empty>
      </Card>
    </Page>
  ) : (
    <Found key={q} text={q} />
  );
}

function Found({ text }: Readonly<{ text: string }>) {
  const found = useStaffQuery<StaffSearch>({ path: '/search', query: { q: text } });
  const items = found.data?.items ?? [];
  const [only] = items;
  const rest = found.data === undefined ? undefined : findRest(found.data);
  if (only !== undefined && items.length === 1) {
    return <Navigate to={`/staff/transfers/${only.id}`} replace />;
  }
  return (
    <Page
      title={texts.title}
      intro={
        rest !== undefined ? (
          <>
            {texts.newest(items.length, text)}{' '}
            <Link to="/staff/transfers" search={rest}>
              {texts.toList}
            </Link>
          </>
        ) : items.length > 0 ? (
          texts.found(items.length, text)
        ) : undefined
      }
    >
      <Loaded found={found}>
        {({ searched }) => (
          <Card>
            {items.length > 0 ? (
              <Table
                caption={texts.caption}
                columns={STAFF_TRANSFER_COLUMNS}
                rows={items}
                idOf={({ id }) => id}
              />
            ) : (
              <Empty
                icon="search"
                title={texts.none(
                  searched.as.map((kind) => texts.kinds[kind] ?? kind),
                  searched.text,
                )}
                actions={
                  <Link className="btn" to="/staff/transfers">
                    {texts.toList}
                  </Link>
                }
              >
                {texts.noneDetail}
              </Empty>
            )}
          </Card>
        )}
      </Loaded>
    </Page>
  );
}
