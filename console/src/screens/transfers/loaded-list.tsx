import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Transfer } from '../../api/types.ts';
import { useBook, useBookKey, useRolesNeeded } from '../../app/session.ts';
import { useIsConnected } from '../../app/stream.tsx';
import { sumByCurrency } from '../../format/format-amount.ts';
import { Sums } from '../../parts/amount.tsx';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { PartFailed } from '../../parts/failure.tsx';
import type { FilterValues } from '../../parts/filters.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { NewerRows, Paging, TableStrip } from '../../parts/table-strip.tsx';
import { shell } from '../../texts/en/shell.ts';
import { transfers as texts } from '../../texts/en/transfers.ts';
import { CancelDialog } from './cancel-dialog.tsx';
import { ExportDialog } from './export-dialog.tsx';
import { rememberSelection, selectionOf } from './last-list.ts';
import { ListEnd } from './list-end.tsx';
import { fitsState } from './transfer-filters.ts';
import { replaceRows, type TransferList } from './transfer-list.ts';
import type { useTransferList } from './use-transfer-list.ts';

/** References in one question of an export of selected rows. */
const REFERENCES_MAX = 50;
const CANCELLABLE: readonly string[] = ['queued', 'scheduled'];

type Given = Readonly<{
  list: ReturnType<typeof useTransferList>;
  filters: FilterValues;
  columns: readonly Column<Transfer>[];
}>;

export function LoadedList({ list, filters, columns }: Given) {
  const book = useBook();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const queryKey = useBookKey()('transfers', filters);
  const selection = useSelection(JSON.stringify(queryKey));
  const [isExporting, setExporting] = useState(false);
  // A copy of the selection: rows that are cancelled in the meantime keep their line among the answers.
  const [cancelling, setCancelling] = useState<readonly Transfer[]>();
  const shown = list.shown;
  if (shown === undefined) return null;
  const selected = [...selection.ids].flatMap((id) => {
    const place = shown.places.get(id);
    return place === undefined ? [] : (shown.rows[place] ?? []);
  });
  const cancellable = selected.filter(({ state }) => CANCELLABLE.includes(state));
  const { older } = list;
  return (
    <Card>
      <TableStrip
        selected={selected.length}
        sums={sumByCurrency(selected)}
        onClear={() => selection.set(new Set())}
        totals={
          <>
            <b>{texts.loaded(shown.rows.length, older.hasMore)}</b>
            <span className="soft">
              <Sums sums={shown.sums} /> {texts.inAll}
            </span>
          </>
        }
        acts={
          <Acts
            cancellable={cancellable.length}
            selected={selected.length}
            onCancel={() => setCancelling(cancellable)}
            onExport={() => setExporting(true)}
          />
        }
      />
      <NewerRows
        count={list.changed.newer}
        one={texts.one}
        other={texts.other}
        onShow={() => void list.showNewer()}
      />
      <Table
        caption={texts.caption}
        columns={columns}
        rows={shown.rows}
        idOf={({ id }) => id}
        selection={{
          ids: selection.ids,
          onChange: selection.set,
          labelOf: (id) => shown.rows[shown.places.get(id) ?? -1]?.reference ?? id,
        }}
        onOpen={({ id }) => void navigate({ to: `/b/${book.id}/transfers/${id}` })}
        rowClass={({ id, state }) =>
          [
            fitsState(filters, state) && !list.found.isPlaceholderData ? '' : 'row-dim',
            list.changed.ids.has(id) ? 'row-new' : '',
          ]
            .join(' ')
            .trim()
        }
      />
      {older.error !== undefined && (
        <PartFailed error={older.error} onRetry={() => void older.load()} />
      )}
      <ListEnd isWaiting={older.hasMore && older.error === undefined} onReach={older.load} />
      <Paging
        summary={texts.order(shown.rows.length)}
        asOf={shown.askedAt}
        onNewer={list.changed.newer > 0 ? () => void list.showNewer() : undefined}
        onOlder={older.hasMore ? () => void older.load() : undefined}
      />
      {cancelling !== undefined && (
        <CancelDialog
          transfers={cancelling}
          selected={selected.length}
          onClose={() => setCancelling(undefined)}
          onAnswers={(cancelled) => {
            selection.set(new Set());
            queries.setQueryData(queryKey, (now: TransferList | undefined) =>
              now === undefined ? now : replaceRows(now, cancelled),
            );
          }}
        />
      )}
      {isExporting && (
        <ExportDialog
          says={texts.loaded(selected.length, false)}
          questions={() => inChunks(selected.map(({ reference }) => reference))}
          onClose={() => setExporting(false)}
        />
      )}
    </Card>
  );
}

function inChunks(references: readonly string[]): readonly Readonly<{ reference: string }>[] {
  const chunks: { reference: string }[] = [];
  for (let from = 0; from < references.length; from += REFERENCES_MAX) {
    chunks.push({ reference: references.slice(from, from + REFERENCES_MAX).join(',') });
  }
  return chunks;
}

type ActsGiven = Readonly<{
  cancellable: number;
  selected: number;
  onCancel: () => void;
  onExport: () => void;
}>;

function Acts({ cancellable, selected, onCancel, onExport }: ActsGiven) {
  const needed = useRolesNeeded()('payouts:write');
  const isConnected = useIsConnected();
  const inactive =
    needed !== undefined
      ? shell.onlyRoles(needed)
      : !isConnected
        ? texts.cancel.offline
        : cancellable === 0 && texts.cancel.none;
  return (
    <>
      <Button kind="danger" size="sm" inactive={inactive} onClick={onCancel}>
        {texts.cancel.act(cancellable)}
      </Button>
      <Button size="sm" onClick={onExport}>
        {texts.export.some(selected)}
      </Button>
    </>
  );
}

function useSelection(list: string) {
  const [ids, setIds] = useState(() => selectionOf(list));
  const [name, setName] = useState(list);
  if (name !== list) {
    setName(list);
    setIds(selectionOf(list));
  }
  return {
    ids,
    set: (next: ReadonlySet<string>) => {
      rememberSelection(list, next);
      setIds(next);
    },
  };
}
