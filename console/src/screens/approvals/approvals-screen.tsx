import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { ApprovalItem, ApprovalView } from '../../api/control-types.ts';
import type { Page as ListPage } from '../../api/page.ts';
import { askApprovals } from '../../app/ask-approvals.ts';
import { useBookApi } from '../../app/book-api.ts';
import { useKeptRows } from '../../app/kept-rows.ts';
import { useKeys } from '../../app/keyboard.tsx';
import { Page } from '../../app/page.tsx';
import { useBook, useBookKey } from '../../app/session.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Note } from '../../parts/note.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { approvals as texts } from '../../texts/en/approvals.ts';
import { placeNames } from '../../texts/en/places.ts';
import { ApprovalCard } from './approval-card.tsx';
import { ApprovalInbox } from './approval-inbox.tsx';
import { DecideBox, type Outcome } from './decide-box.tsx';
import { DecideResults, keyOf } from './decide-results.tsx';
import { RejectOnly } from './reject-only.tsx';

/** How many approvals one call decides. */
const SHOWN_MAX = 100;
const VIEWS: readonly ApprovalView[] = ['mine', 'others', 'all', 'decided'];

export default function ApprovalsScreen() {
  const { view: asked } = useSearch({ strict: false }) as { view?: string };
  const view = VIEWS.find((one) => one === asked) ?? 'mine';
  const mine = useApprovals('mine');
  const others = useApprovals('others');
  const all = useApprovals('all', view === 'all');
  const decided = useApprovals('decided', view === 'decided');
  const found = { mine, others, all, decided }[view];
  const counts: Readonly<Partial<Record<ApprovalView, number | undefined>>> = {
    mine: mine.data?.items.length,
    others: others.data?.items.length,
    all:
      mine.data === undefined || others.data === undefined
        ? undefined
        : mine.data.items.length + others.data.items.length,
  };
  return (
    <Page title={placeNames.approvals} intro={texts.intro}>
      <Tabs
        label={texts.which}
        tabs={VIEWS.map((one) => ({
          key: one,
          label: texts.views[one],
          search: one === 'mine' ? {} : { view: one },
          isCurrent: one === view,
          ...(counts[one] === undefined ? {} : { count: counts[one] }),
          ...(one === 'mine' && counts.mine !== 0 ? { countTone: 'you' as const } : {}),
        }))}
      />
      <Loaded found={found} rows={5}>
        {({ items, nextCursor }) => (
          <ApprovalWork key={view} view={view} items={items} hasMore={nextCursor !== null} />
        )}
      </Loaded>
    </Page>
  );
}

function useApprovals(view: ApprovalView, enabled = true) {
  const api = useBookApi();
  const key = useBookKey();
  return useQuery({
    queryKey: key('approvals', view),
    queryFn: ({ signal }) =>
      askApprovals((query) => api<ListPage<ApprovalItem>>({ path: '/approvals', query, signal }), {
        view,
        limit: SHOWN_MAX,
      }),
    placeholderData: keepPreviousData,
    enabled,
  });
}

type Given = Readonly<{
  view: ApprovalView;
  items: readonly ApprovalItem[];
  hasMore: boolean;
}>;

/** The list at the left; at the right what is open, and the decision. */
function ApprovalWork({ view, items, hasMore }: Given) {
  const kept = useKeptRows(items, { idOf: ({ id }) => id, key: view });
  const { open } = useSearch({ strict: false }) as { open?: string };
  const navigate = useNavigate();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [outcome, setOutcome] = useState<Outcome>();
  /** What the reader decided, until the list is loaded again. */
  const [acted, setActed] = useState<ReadonlySet<string>>(new Set());
  // The shown one stays until the reader leaves it: otherwise the next one would appear under the pointer.
  const [pinned, setPinned] = useState<string>();
  const isOpen = (item: ApprovalItem) => !kept.isGone(item) && !acted.has(item.id);
  const opened = kept.rows.find(({ id }) => id === open);
  const shown = kept.rows.find(({ id }) => id === pinned) ?? kept.rows.find(isOpen) ?? kept.rows[0];
  if (opened === undefined && shown?.id !== pinned) setPinned(shown?.id);
  const current = opened ?? shown;
  const next = kept.rows.find((item) => isOpen(item) && item.id !== current?.id);
  const chosen = kept.rows.filter((item) => selected.has(item.id) && !kept.isGone(item));
  const decided = chosen.length > 0 ? chosen : current === undefined ? [] : [current];
  const show = (id: string | undefined) =>
    void navigate({
      to: '.',
      search: (now: object) => ({ ...now, open: id }) as never,
      resetScroll: false,
    });
  const toggle = (id: string) => {
    const ids = new Set(selected);
    if (!ids.delete(id)) ids.add(id);
    setSelected(ids);
  };
  const takeOutcome = (came: Outcome) => {
    const isPlain = came.items.length === 1 && came.answers.every(({ ok }) => ok);
    const done = came.answers.filter(({ ok }) => ok).map(({ id }) => id);
    const all = new Set([...acted, ...done]);
    setOutcome(isPlain ? undefined : came);
    setSelected(new Set());
    setActed(all);
    setPinned(kept.rows.find((item) => isOpen(item) && !all.has(item.id))?.id);
    show(undefined);
  };
  useListKeys({ rows: kept.rows, current, show, toggle });
  // What the reader has decided leaves with the last one; what others decide stays in sight, dimmed.
  const isDone = acted.size > 0 && view !== 'decided' && kept.rows.every(kept.isGone);
  if (isDone && kept.newer > 0) kept.show();
  if (current === undefined || isDone) {
    return outcome === undefined ? (
      <NoApprovals view={view} />
    ) : (
      <DecideResults key={keyOf(outcome)} outcome={outcome} onClose={() => setOutcome(undefined)} />
    );
  }
  const isWaiting = view !== 'decided' && !kept.isGone(current);
  const ids = decided.map(({ id }) => id);
  const isNamed = decided.length > 1 || decided[0]?.id !== current.id;
  return (
    <>
      {hasMore && (
        <Note tone="info">{view === 'decided' ? texts.moreDecided(SHOWN_MAX) : texts.more}</Note>
      )}
      <div className="grid g-side-main">
        <ApprovalInbox
          view={view}
          items={kept.rows}
          openId={current.id}
          isGone={(item) => view !== 'decided' && kept.isGone(item)}
          newer={kept.newer}
          onShowNewer={kept.show}
          selected={selected}
          onSelect={(ids, toggled) => {
            setSelected(ids);
            if (toggled !== undefined && ids.has(toggled)) show(toggled);
          }}
        />
        <div className="stack">
          {outcome !== undefined && (
            <DecideResults
              key={keyOf(outcome)}
              outcome={outcome}
              onClose={() => setOutcome(undefined)}
            />
          )}
          <ApprovalCard item={current} isWaiting={isWaiting} />
          {view !== 'decided' && !isWaiting && (
            <NoLongerWaits onNext={next === undefined ? undefined : () => show(next.id)} />
          )}
          {isWaiting && !current.iCan && chosen.length === 0 ? (
            current.iCanReject ? (
              !acted.has(current.id) && (
                <RejectOnly key={current.id} item={current} onOutcome={takeOutcome} />
              )
            ) : (
              <Note tone="info">
                <p>
                  <b>{texts.notYours}.</b> {current.whyNot}
                </p>
              </Note>
            )
          ) : (
            ((isWaiting && !acted.has(current.id)) || chosen.length > 0) && (
              <DecideBox
                key={ids.join()}
                items={decided}
                isNamed={isNamed}
                onOutcome={takeOutcome}
              />
            )
          )}
        </div>
      </div>
    </>
  );
}

/** Shown when it was decided elsewhere, or ended. The reader opens the next one: it does not open by itself. */
function NoLongerWaits({ onNext }: Readonly<{ onNext: (() => void) | undefined }>) {
  return (
    <Note
      tone="info"
      action={
        onNext !== undefined && (
          <Button size="sm" onClick={onNext}>
            {texts.openNext}
          </Button>
        )
      }
    >
      <p>
        <b>{texts.noLonger}</b> {texts.noLongerDetail}
      </p>
    </Note>
  );
}

type KeysGiven = Readonly<{
  rows: readonly ApprovalItem[];
  current: ApprovalItem | undefined;
  show: (id: string) => void;
  toggle: (id: string) => void;
}>;

function useListKeys({ rows, current, show, toggle }: KeysGiven): void {
  const { id: bookId } = useBook();
  const navigate = useNavigate();
  const at = rows.findIndex(({ id }) => id === current?.id);
  const go = (to: number) => {
    const row = rows[to];
    if (row !== undefined) show(row.id);
  };
  useKeys([
    { keys: 'j', label: texts.keys.next, act: () => go(at + 1) },
    { keys: 'k', label: texts.keys.previous, act: () => go(at - 1) },
    ...(current?.iCan === true
      ? [{ keys: 'x', label: texts.keys.select, act: () => toggle(current.id) }]
      : []),
    ...(current?.kind === 'transfer'
      ? [
          {
            keys: 'enter',
            label: texts.openTransfer,
            act: () => void navigate({ to: `/b/${bookId}/transfers/${current.id}` }),
          },
        ]
      : []),
  ]);
}

function NoApprovals({ view }: Readonly<{ view: ApprovalView }>) {
  const { id } = useBook();
  return (
    <Card>
      <Empty
        icon="check2"
        title={texts.empty[view]}
        actions={
          <>
            {view !== 'decided' && (
              <Link to={`/b/${id}/approvals`} search={{ view: 'decided' }} className="btn">
                {texts.toDecided}
              </Link>
            )}
            <Link to={`/b/${id}/policy`} className="btn">
              {texts.toPolicy}
            </Link>
          </>
        }
      >
        {texts.emptyDetail[view]}
      </Empty>
    </Card>
  );
}
