import { useNavigate, useSearch } from '@tanstack/react-router';
import type { Doubt } from '../../api/staff-types.ts';
import { useKeptRows } from '../../app/kept-rows.ts';
import { addAmounts } from '../../format/format-amount.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Note } from '../../parts/note.tsx';
import { Table } from '../../parts/table.tsx';
import { NewerRows, Paging } from '../../parts/table-strip.tsx';
import { type Tab, Tabs } from '../../parts/tabs.tsx';
import { doubts as texts } from '../../texts/en/doubts.ts';
import { ModeSums } from '../staff/mode-sums.tsx';
import { useReader } from '../staff/use-reader.ts';
import { whoseTurn } from '../staff/whose-turn.ts';
import { doubtColumns } from './doubt-columns.tsx';

type Which = 'second' | 'person' | 'asked';

/** In which tab a doubt is: each is in one. */
function whichOf({ proposal, needsPerson }: Doubt): Which {
  if (proposal !== null) return 'second';
  return needsPerson ? 'person' : 'asked';
}

type Given = Readonly<{
  doubts: readonly Doubt[];
  hasMore: boolean;
  asOf: number;
  listKey: string;
  /** Undefined: no filter is set. */
  onClear: (() => void) | undefined;
}>;

export function DoubtList({ doubts, hasMore, asOf, listKey, onClear }: Given) {
  const reader = useReader();
  const navigate = useNavigate();
  const search = useSearch({ strict: false }) as Record<string, string>;
  const which = readWhich(search['which']);
  const some = which === undefined ? doubts : doubts.filter((one) => whichOf(one) === which);
  const needsMe = ({ proposal }: Doubt) =>
    proposal !== null && whoseTurn(proposal, reader) === 'reader';
  // The service lists the oldest first; sorting keeps that order among equals.
  const ordered = some.toSorted((a, b) => Number(needsMe(b)) - Number(needsMe(a)));
  const kept = useKeptRows(ordered, {
    idOf: ({ transfer }) => transfer.id,
    key: `${listKey} ${which}`,
  });
  const { which: _which, cursor: _cursor, ...filters } = search;
  const open = ({ transfer }: Doubt) => void navigate({ to: `/staff/doubts/${transfer.id}` });
  const held = kept.rows
    .filter((row) => !kept.isGone(row))
    .map(({ mode, transfer: { currency, amount, fee } }) => ({
      mode,
      currency,
      amount: addAmounts([amount, fee]),
    }));
  return (
    <>
      <Tabs
        label={texts.which}
        tabs={tabsOf({ doubts, which, filters, forMe: doubts.filter(needsMe).length })}
      />
      {hasMore && <Note tone="caution">{texts.more}</Note>}
      <Card>
        {kept.rows.length === 0 ? (
          <NoDoubts count={doubts.length} onClear={onClear} />
        ) : (
          <>
            {kept.newer > 0 && (
              <NewerRows
                count={kept.newer}
                one={texts.one}
                other={texts.other}
                onShow={kept.show}
              />
            )}
            <Table
              caption={texts.caption}
              columns={doubtColumns({ reader, isGone: kept.isGone })}
              rows={kept.rows}
              idOf={({ transfer }) => transfer.id}
              onOpen={open}
              rowClass={(row) => (kept.isGone(row) ? 'row-dim' : undefined)}
            />
            <Paging
              asOf={asOf}
              summary={
                <>
                  {texts.count(kept.rows.length)}, <ModeSums items={held} /> {texts.heldInAll}.{' '}
                  {texts.masked}
                </>
              }
            />
          </>
        )}
      </Card>
    </>
  );
}

function readWhich(text: string | undefined): Which | undefined {
  return text === 'second' || text === 'person' || text === 'asked' ? text : undefined;
}

function tabsOf({
  doubts,
  which,
  filters,
  forMe,
}: Readonly<{
  doubts: readonly Doubt[];
  which: Which | undefined;
  filters: Readonly<Record<string, string>>;
  forMe: number;
}>): readonly Tab[] {
  const countOf = (one: Which) => doubts.filter((doubt) => whichOf(doubt) === one).length;
  return [
    {
      key: 'all',
      label: texts.tabs.all,
      search: filters,
      isCurrent: which === undefined,
      count: doubts.length,
      countTone: 'doubt',
    },
    ...(['second', 'person', 'asked'] as const).map((one) => ({
      key: one,
      label: texts.tabs[one],
      search: { ...filters, which: one },
      isCurrent: which === one,
      count: countOf(one),
      ...(one === 'second' && forMe > 0 ? { countTone: 'you' as const } : {}),
    })),
  ];
}

/** Nothing at all, nothing under this tab, or nothing for these filters. */
function NoDoubts({
  count,
  onClear,
}: Readonly<{ count: number; onClear: (() => void) | undefined }>) {
  const navigate = useNavigate();
  if (count > 0) {
    const all = () =>
      void navigate({
        to: '.',
        search: (now: object) => ({ ...now, which: undefined }) as never,
      });
    return (
      <Empty
        icon="in_doubt"
        title={texts.emptyTab}
        actions={<Button onClick={all}>{texts.all}</Button>}
      >
        {texts.emptyTabDetail(count)}
      </Empty>
    );
  }
  if (onClear !== undefined) {
    return (
      <Empty
        icon="search"
        title={texts.nothing}
        actions={<Button onClick={onClear}>{texts.clear}</Button>}
      >
        {texts.nothingDetail}
      </Empty>
    );
  }
  return (
    <Empty icon="in_doubt" title={texts.empty}>
      {texts.emptyDetail}
    </Empty>
  );
}
