import { keepPreviousData, type QueryKey, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Page } from '../../api/page.ts';
import type { Change, Transfer } from '../../api/types.ts';
import { useBookApi } from '../../app/book-api.ts';
import { usePreferences } from '../../app/preferences.ts';
import { useBookKey } from '../../app/session.ts';
import { useChanges } from '../../app/stream.tsx';
import { announce } from '../../parts/announce.tsx';
import type { FilterValues } from '../../parts/filters.tsx';
import { states } from '../../texts/en/states.ts';
import { transfers as texts } from '../../texts/en/transfers.ts';
import { toQuery } from './transfer-filters.ts';
import {
  addPage,
  referencesToRefresh,
  replaceRows,
  startList,
  type TransferList,
} from './transfer-list.ts';

const FIRST_PAGE_ROWS = 50;
const PAGE_ROWS_MAX = 100;
/** References in one call: the address stays well below the limit of servers. */
const REFERENCES_MAX = 50;
/** After an interruption of the stream this many rows are loaded again. */
const REFRESHED_MAX = 200;
const NEWS_EVERY_MS = 500;
/** News that could not be looked up is looked up again after this time. */
const NEWS_AGAIN_MS = 5_000;
const KEPT_MS = 30 * 60_000;
/** `many`: more than the stream tells one by one; `opened`: what came before was not told. */
const NEWS = new Set(['transfer', 'many', 'opened']);

/** The list as it is loaded so far. Rows change in place; new ones are counted and come on request. */
export function useTransferList(filters: FilterValues) {
  const queries = useQueryClient();
  const { timeZone } = usePreferences();
  const api = useBookApi();
  const queryKey = useBookKey()('transfers', filters);
  const ask = (
    query: Readonly<Record<string, string | number | undefined>>,
    signal?: AbortSignal,
  ) => api<Page<Transfer>>({ path: '/transfers', query, signal });
  const askFiltered = (page: Readonly<{ limit: number; cursor?: string }>, signal?: AbortSignal) =>
    ask({ ...toQuery(filters, { now: new Date(), timeZone }), ...page }, signal);

  const found = useQuery<TransferList>({
    queryKey,
    meta: { isList: true },
    // A list is asked once; afterwards the stream tells what changed. `useNews` looks at one that was left and is
    // shown again: the stream told it nothing meanwhile.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: KEPT_MS,
    structuralSharing: false,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const known = queries.getQueryData<TransferList>(queryKey);
      if (known === undefined) {
        return startList(await askFiltered({ limit: FIRST_PAGE_ROWS }, signal), Date.now());
      }
      const references = referencesToRefresh(known, REFRESHED_MAX);
      const fresh = await askReferences((query) => ask(query, signal), references);
      return replaceRows(queries.getQueryData<TransferList>(queryKey) ?? known, fresh);
    },
  });
  const list = found.isPlaceholderData ? undefined : found.data;

  const changed = useNews(queryKey, list, {
    askReferences: (references) => askReferences(ask, references),
    countNewer: async (firstId) => {
      const { items } = await askFiltered({ limit: PAGE_ROWS_MAX });
      return items.filter(({ id }) => id > firstId).length;
    },
  });
  const older = useOlder(queryKey, list, (cursor) => askFiltered({ limit: PAGE_ROWS_MAX, cursor }));
  const showNewer = async () => {
    const fresh = startList(await askFiltered({ limit: FIRST_PAGE_ROWS }), Date.now());
    queries.setQueryData(queryKey, fresh);
    changed.clear();
    scrollTo({ top: 0 });
  };
  return { found, shown: found.data, older, changed, showNewer };
}

type Ask = (
  query: Readonly<Record<string, string | number | undefined>>,
) => Promise<Page<Transfer>>;

async function askReferences(
  ask: Ask,
  references: readonly string[],
): Promise<readonly Transfer[]> {
  const fresh: Transfer[] = [];
  for (let from = 0; from < references.length; from += REFERENCES_MAX) {
    const some = references.slice(from, from + REFERENCES_MAX);
    const { items } = await ask({ reference: some.join(','), limit: some.length });
    fresh.push(...items);
  }
  return fresh;
}

type NewsDeps = Readonly<{
  askReferences: (references: readonly string[]) => Promise<readonly Transfer[]>;
  countNewer: (firstId: string) => Promise<number>;
}>;

/** Takes the news of the stream in short bursts: rows that are loaded change, others are counted. */
function useNews(queryKey: QueryKey, list: TransferList | undefined, deps: NewsDeps) {
  const queries = useQueryClient();
  const [newer, setNewer] = useState(0);
  const [burst, setBurst] = useState(0);
  const [changedIds, setChangedIds] = useState<ReadonlySet<string>>(new Set());
  const name = JSON.stringify(queryKey);
  const isShown = useEffectEvent((one: string) => one === name);
  const waiting = useRef<{ changes: Change[]; timer: ReturnType<typeof setTimeout> | undefined }>({
    changes: [],
    timer: undefined,
  });
  const take = useEffectEvent(async () => {
    const { changes } = waiting.current;
    waiting.current.timer = undefined;
    // They wait for the list: what it was asked for may be older than they are.
    if (list === undefined) return;
    waiting.current.changes = [];
    const isAnything = changes.some(({ what }) => what !== 'transfer');
    try {
      if (isAnything) {
        await queries.invalidateQueries({ queryKey }, { throwOnError: true });
      }
      const rows = new Set(changes.flatMap(({ id }) => list.places.get(id) ?? []));
      const references = [...rows].flatMap((place) => list.rows[place]?.reference ?? []);
      const fresh = await deps.askReferences(references);
      const before = queries.getQueryData<TransferList>(queryKey);
      if (before !== undefined && fresh.length > 0) {
        queries.setQueryData(queryKey, replaceRows(before, fresh));
        setChangedIds((ids) => new Set([...ids, ...fresh.map(({ id }) => id)]));
        announce(sayNews(fresh));
      }
      const firstId = list.rows[0]?.id ?? '';
      if (isAnything || changes.some(({ id }) => id > firstId)) {
        const count = await deps.countNewer(firstId);
        // Other filters may have been chosen meanwhile.
        if (isShown(name)) setNewer(count);
      }
    } catch {
      if (!isShown(name)) return;
      // They are not lost: they are looked up again, with the news that comes meanwhile.
      const all = [...changes, ...waiting.current.changes];
      waiting.current.changes = [
        ...new Map(all.map((one) => [`${one.what} ${one.id}`, one])).values(),
      ];
      waiting.current.timer ??= setTimeout(() => void take(), NEWS_AGAIN_MS);
    }
  });
  const hear = (change: Change) => {
    if (!NEWS.has(change.what)) return;
    waiting.current.changes.push(change);
    if (waiting.current.timer === undefined) setBurst((count) => count + 1);
  };
  useChanges(hear);
  const hearMissed = useEffectEvent((list: string) => {
    // A list that is there already was left, and is shown again.
    const isKnown = queries.getQueryData(JSON.parse(list) as QueryKey) !== undefined;
    if (isKnown) hear({ what: 'opened', id: '' });
  });
  useEffect(() => hearMissed(name), [name]);
  const isLoaded = list !== undefined;
  useEffect(() => {
    if (burst > 0 && isLoaded && waiting.current.changes.length > 0) {
      waiting.current.timer ??= setTimeout(() => void take(), NEWS_EVERY_MS);
    }
  }, [burst, isLoaded]);
  useEffect(() => () => clearTimeout(waiting.current.timer), []);
  const clear = () => {
    setNewer(0);
    setChangedIds(new Set());
  };
  const [shownName, setShownName] = useState(name);
  if (shownName !== name) {
    setShownName(name);
    clear();
  }
  return { newer, ids: changedIds, clear };
}

function sayNews(fresh: readonly Transfer[]): string {
  const byState = Map.groupBy(fresh, ({ state }) => state);
  return [...byState]
    .map(([state, some]) => texts.news.one(some.length, states[state].word))
    .join(', ');
}

/** Loads the next older page, one at a time. */
function useOlder(
  queryKey: QueryKey,
  list: TransferList | undefined,
  askPage: (cursor: string) => Promise<Page<Transfer>>,
) {
  const queries = useQueryClient();
  const isBusy = useRef(false);
  const [state, setState] = useState<Readonly<{ isLoading: boolean; error?: unknown }>>({
    isLoading: false,
  });
  const cursor = list?.nextCursor ?? null;
  const load = async () => {
    if (cursor === null || isBusy.current) return;
    isBusy.current = true;
    setState({ isLoading: true });
    try {
      const page = await askPage(cursor);
      queries.setQueryData(queryKey, (now: TransferList | undefined) =>
        now?.nextCursor === cursor ? addPage(now, page) : now,
      );
      setState({ isLoading: false });
    } catch (error) {
      setState({ isLoading: false, error });
    } finally {
      isBusy.current = false;
    }
  };
  return { ...state, hasMore: cursor !== null, load };
}
