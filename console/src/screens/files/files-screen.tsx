import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { Page as ListPage } from '../../api/page.ts';
import { FILE_STATES, type FileState, type PayoutFileItem } from '../../api/payout-file-types.ts';
import { useBookApi } from '../../app/book-api.ts';
import { useCursor } from '../../app/cursor-pages.ts';
import { useKeptRows } from '../../app/kept-rows.ts';
import { Page } from '../../app/page.tsx';
import { useBook, useBookKey } from '../../app/session.ts';
import { Card } from '../../parts/card.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Table } from '../../parts/table.tsx';
import { NewerRows, Paging } from '../../parts/table-strip.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { files as texts } from '../../texts/en/files.ts';
import { placeNames } from '../../texts/en/places.ts';
import { FILE_COLUMNS, type ListedFile } from './file-columns.tsx';
import { UploadPart } from './upload-part.tsx';
import { useFileApprovals } from './use-file-approvals.ts';

const PAGE_FILES = 50;

export default function FilesScreen() {
  const { state: asked } = useSearch({ strict: false }) as { state?: string };
  const state = FILE_STATES.find((one) => one === asked);
  const api = useBookApi();
  const key = useBookKey();
  const paging = useCursor();
  const query = { state, limit: PAGE_FILES, cursor: paging.cursor };
  const found = useQuery({
    queryKey: key('payout-files', query),
    queryFn: ({ signal }) =>
      api<ListPage<PayoutFileItem>>({ path: '/payout-files', query, signal }),
    placeholderData: keepPreviousData,
  });
  return (
    <Page title={placeNames.files} intro={texts.intro}>
      <UploadPart />
      <Tabs
        label={texts.list.which}
        tabs={[undefined, ...FILE_STATES].map((one) => ({
          key: one ?? 'all',
          label: one === undefined ? texts.list.all : texts.states[one],
          search: one === undefined ? {} : { state: one },
          isCurrent: one === state,
        }))}
      />
      <Loaded found={found} rows={5}>
        {({ items, nextCursor }) => (
          <FileList
            items={items}
            state={state}
            shownBy={`${state ?? ''} ${paging.cursor ?? ''} ${String(found.isPlaceholderData)}`}
            asOf={found.dataUpdatedAt}
            onOlder={paging.older(nextCursor)}
            onNewer={paging.newer}
          />
        )}
      </Loaded>
    </Page>
  );
}

type Given = Readonly<{
  items: readonly PayoutFileItem[];
  state: FileState | undefined;
  /** The filter of the list: another one starts at the first page. */
  shownBy: string;
  asOf: number;
  onOlder: (() => void) | undefined;
  onNewer: (() => void) | undefined;
}>;

function FileList({ items, state, shownBy, asOf, onOlder, onNewer }: Given) {
  const { id: bookId } = useBook();
  const navigate = useNavigate();
  const kept = useKeptRows(items, { idOf: ({ id }) => id, key: shownBy });
  const approvals = useFileApprovals(items.some((item) => item.state === 'awaiting_approval'));
  if (kept.rows.length === 0) {
    return (
      <Card>
        <Empty icon="file" title={state === undefined ? texts.list.empty : texts.list.emptyIn}>
          {state === undefined ? texts.list.emptyDetail : texts.list.emptyInDetail}
        </Empty>
      </Card>
    );
  }
  const rows = kept.rows.map(
    (file): ListedFile => ({ ...file, approval: approvals?.get(file.id) }),
  );
  return (
    <Card>
      <NewerRows
        count={kept.newer}
        one={texts.list.one}
        other={texts.list.other}
        onShow={kept.show}
      />
      <Table
        caption={texts.list.caption}
        columns={FILE_COLUMNS}
        rows={rows}
        idOf={({ id }) => id}
        rowClass={(row) => (kept.isGone(row) ? 'row-dim' : undefined)}
        onOpen={({ id }) => void navigate({ to: `/b/${bookId}/files/${id}` })}
      />
      <Paging summary={texts.list.order} asOf={asOf} onOlder={onOlder} onNewer={onNewer} />
    </Card>
  );
}
