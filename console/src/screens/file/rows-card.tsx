import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { PayoutFile, PayoutRow } from '../../api/payout-file-types.ts';
import { useBookApi } from '../../app/book-api.ts';
import { useCursor } from '../../app/cursor-pages.ts';
import { useKeptRows } from '../../app/kept-rows.ts';
import { useInactive } from '../../app/may-act.ts';
import { toast } from '../../parts/announce.tsx';
import { Empty } from '../../parts/empty.tsx';
import { PartFailed, sayError } from '../../parts/failure.tsx';
import { useFilters } from '../../parts/filters.tsx';
import { LoadingRows } from '../../parts/loading.tsx';
import { Table } from '../../parts/table.tsx';
import { Paging } from '../../parts/table-strip.tsx';
import { files } from '../../texts/en/files.ts';
import { type RowActs, RowActsContext } from './file-context.ts';
import { ROW_COLUMNS } from './row-columns.tsx';
import { RowsFoot } from './rows-foot.tsx';
import { RowsHead } from './rows-head.tsx';
import { useRefreshFile, useRowChangesKey } from './use-file.ts';
import { ROW_VIEWS, type RowView, useRows } from './use-rows.ts';

const texts = files.table;
const FILTERS = [
  { name: 'rows', label: texts.which },
  { name: 'q', label: texts.find },
];

/** The rows of a file: to be corrected while it is a draft, later with their results. */
export function RowsCard({ file }: Readonly<{ file: PayoutFile }>) {
  const { values, set } = useFilters(FILTERS);
  const paging = useCursor();
  const view = ROW_VIEWS.find((one) => one === values['rows']) ?? 'first';
  const found = useRows(file, { view, q: values['q'], cursor: paging.cursor });
  // Counts up when all rows were changed at once: the list then starts again at its top.
  const [round, setRound] = useState(0);
  const asked = [file.state, view, values['q'], paging.cursor, round, found.isPlaceholderData];
  return (
    <section className="card mb" aria-label={texts.title}>
      <RowsHead
        file={file}
        view={view}
        q={values['q'] ?? ''}
        onView={(rows: RowView) => set({ rows: rows === 'first' ? undefined : rows })}
        onFind={(q) => set({ q: q === '' ? undefined : q })}
      />
      {found.rows !== undefined ? (
        <RowTable file={file} items={found.rows} shownBy={asked.join(' ')} />
      ) : found.isError ? (
        <PartFailed error={found.error} onRetry={() => void found.refetch()} />
      ) : (
        <LoadingRows rows={6} />
      )}
      {found.rows !== undefined && (
        <Paging
          summary={texts.shown(found.rows.length, file.counts.rows)}
          asOf={found.dataUpdatedAt}
          onOlder={paging.older(found.nextCursor)}
          onNewer={paging.newer}
        />
      )}
      <RowsFoot file={file} onDropped={() => setRound(round + 1)} />
    </section>
  );
}

type Given = Readonly<{
  file: PayoutFile;
  items: readonly PayoutRow[];
  shownBy: string;
}>;

/** Rows stay in their places while they are corrected. */
function RowTable({ file, items, shownBy }: Given) {
  const kept = useKeptRows(items, { idOf: ({ number }) => String(number), key: shownBy });
  const { acts, latest } = useActsOnRows(file);
  const rows = kept.rows.map((row) => (kept.isGone(row) ? (latest.get(row.number) ?? row) : row));
  return (
    <RowActsContext value={acts}>
      {rows.length === 0 ? (
        <Empty icon="search" title={texts.nothing}>
          {texts.nothingDetail}
        </Empty>
      ) : (
        <div className="data-file">
          <Table
            caption={texts.caption}
            columns={ROW_COLUMNS}
            rows={rows}
            idOf={({ number }) => String(number)}
            isTypedIn
          />
        </div>
      )}
    </RowActsContext>
  );
}

type RowChange = Readonly<{
  number: number;
  method: 'PUT' | 'DELETE' | 'POST';
  below?: string;
  body?: unknown;
}>;

/** Saves changes of rows, and keeps the changed rows as the service answered them. */
function useActsOnRows({ id, state, currency }: PayoutFile): Readonly<{
  acts: RowActs;
  latest: ReadonlyMap<number, PayoutRow>;
}> {
  const api = useBookApi();
  const refresh = useRefreshFile();
  const inactive = useInactive()('payouts:write');
  const [latest, setLatest] = useState<ReadonlyMap<number, PayoutRow>>(new Map());
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set());
  const { mutateAsync } = useMutation({
    mutationKey: useRowChangesKey(id),
    mutationFn: async ({ number, method, below = '', body }: RowChange) => {
      const path = `/payout-files/${id}/rows/${number}${below}`;
      const row = await api<PayoutRow>({ method, path, body });
      setLatest((rows) => new Map([...rows, [number, row]]));
      await refresh();
    },
  });
  const change = ({ number }: PayoutRow, given: Omit<RowChange, 'number'>) =>
    mutateAsync({ number, ...given });
  const say = (error: unknown) => toast(sayError(error), 'bad');
  return {
    latest,
    acts: {
      isDraft: state === 'draft',
      state,
      currency,
      inactive,
      opened,
      open: ({ number }) => setOpened(new Set([...opened, number])),
      correct: (row, field, text) => change(row, { method: 'PUT', body: { [field]: text } }),
      drop: (row) => change(row, { method: 'DELETE' }).catch(say),
      restore: (row) => change(row, { method: 'POST', below: '/restore' }).catch(say),
    },
  };
}
