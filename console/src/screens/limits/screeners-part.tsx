import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Screener } from '../../api/control-types.ts';
import { useBookApi } from '../../app/book-api.ts';
import { useInactive } from '../../app/may-act.ts';
import { useBook, useBookKey } from '../../app/session.ts';
import { toast } from '../../parts/announce.tsx';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Empty } from '../../parts/empty.tsx';
import { GuardedAct } from '../../parts/guarded-act.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Says } from '../../parts/says.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Duration, Time } from '../../parts/time.tsx';
import { lists } from '../../texts/en/lists.ts';
import { shell } from '../../texts/en/shell.ts';
import { ScreenerForm } from './screener-form.tsx';

const texts = lists.screeners;

/** Services that are asked before a payout leaves. */
export function ScreenersPart() {
  const api = useBookApi();
  const key = useBookKey();
  const inactive = useInactive()('policy:write');
  const [isAdding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<Screener>();
  const found = useQuery({
    queryKey: key('screeners'),
    queryFn: ({ signal }) => api<{ items: readonly Screener[] }>({ path: '/screeners', signal }),
    meta: { isList: true },
  });
  return (
    <>
      <p className="soft lead-line">{texts.help}</p>
      <div className="filters">
        <span className="push">
          <Button kind="main" icon="plus" inactive={inactive} onClick={() => setAdding(true)}>
            {`${texts.add}…`}
          </Button>
        </span>
      </div>
      <Loaded found={found} rows={3}>
        {({ items }) => (
          <Card>
            {items.length === 0 ? (
              <Empty icon="shield" title={texts.empty}>
                {texts.emptyDetail}
              </Empty>
            ) : (
              <Table
                caption={texts.caption}
                columns={columnsOf(inactive, setRemoving)}
                rows={items}
                idOf={({ id }) => id}
              />
            )}
          </Card>
        )}
      </Loaded>
      {isAdding && <ScreenerForm onClose={() => setAdding(false)} />}
      {removing !== undefined && (
        <RemoveScreener screener={removing} onClose={() => setRemoving(undefined)} />
      )}
    </>
  );
}

function columnsOf(
  inactive: string | undefined,
  onRemove: (screener: Screener) => void,
): readonly Column<Screener>[] {
  return [
    {
      key: 'name',
      head: texts.name,
      isRowHead: true,
      fold: 'main',
      cell: ({ name }) => <code>{name}</code>,
    },
    {
      key: 'url',
      head: texts.url,
      fold: 'more',
      cell: ({ url }) => <span className="break">{url}</span>,
    },
    {
      key: 'deadline',
      head: texts.deadline,
      isNumber: true,
      fold: 'num',
      cell: ({ deadlineMs }) => <Duration ms={deadlineMs} />,
    },
    {
      key: 'added',
      head: texts.added,
      isNumber: true,
      fold: 'time',
      cell: ({ createdAt }) => <Time at={createdAt} />,
    },
    {
      key: 'action',
      head: texts.action,
      isNumber: true,
      fold: 'act',
      cell: (screener) => (
        <Button
          size="sm"
          inactive={inactive}
          aria-label={texts.removeOf(screener.name)}
          onClick={() => onRemove(screener)}
        >
          {texts.remove}
        </Button>
      ),
    },
  ];
}

function RemoveScreener({
  screener: { id, name },
  onClose,
}: Readonly<{ screener: Screener; onClose: () => void }>) {
  const api = useBookApi();
  const key = useBookKey();
  const { mode } = useBook();
  const queries = useQueryClient();
  const words = texts.removeAsk;
  return (
    <Dialog title={words.title(name)} onClose={onClose}>
      <GuardedAct
        needsFactor={mode === 'live'}
        actLabel={shell.inTest(words.act(name), mode)}
        keepLabel={words.keep}
        isDanger
        onKeep={onClose}
        onAct={async () => {
          await api({ method: 'DELETE', path: `/screeners/${id}` });
          toast(words.done(name));
          onClose();
          await queries.invalidateQueries({ queryKey: key('screeners') });
        }}
      >
        <Says lead={words.lead}>
          <p className="strong">{name}</p>
        </Says>
        <p>{words.detail[mode]}</p>
      </GuardedAct>
    </Dialog>
  );
}
