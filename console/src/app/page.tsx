import { useIsFetching, useQueryClient } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import { type ReactNode, useEffect, useSyncExternalStore } from 'react';
import { formatClock, formatZone } from '../format/format-time.ts';
import { HalfTypedFields } from '../parts/half-typed.tsx';
import { shell } from '../texts/en/shell.ts';
import { usePreferences } from './preferences.ts';
import { type OpenBook, useOptionalBook } from './session.ts';
import { useStreamState } from './stream.tsx';

type Given = Readonly<{
  /** One h1 for each page; also the title of the window, with the book's mode. */
  title: string;
  /** What stands in the h1 when it is more than the title: an amount and a name. */
  head?: ReactNode;
  intro?: ReactNode;
  actions?: ReactNode;
  /** The way back: links. */
  crumbs?: readonly ReactNode[];
  children: ReactNode;
}>;

const STAFF_PATH = /\/staff(?:\/|$)/;

/** The head of every page, and at its end the name of the zone in which its times are. */
export function Page({ title, head, intro, actions, crumbs, children }: Given) {
  const book = useOptionalBook();
  const { timeZone } = usePreferences();
  const isStaff = useRouterState({ select: ({ location }) => STAFF_PATH.test(location.pathname) });
  useEffect(() => {
    document.title = [title, ...nameOf(book, isStaff), shell.product].join(' · ');
  }, [title, book, isStaff]);
  return (
    <>
      {crumbs !== undefined && (
        <nav className="crumbs" aria-label="Way back">
          <ol>
            {crumbs.map((crumb, index) => (
              <li key={index}>{crumb}</li>
            ))}
          </ol>
        </nav>
      )}
      <div className={head === undefined ? 'page-head' : 'page-head title-money'}>
        <div>
          <h1 tabIndex={-1}>{head ?? title}</h1>
          {intro !== undefined && <p>{intro}</p>}
        </div>
        <div className="actions">
          <Fresh />
          {actions}
        </div>
      </div>
      <HalfTypedFields>{children}</HalfTypedFields>
      <p className="zone faint small">{shell.zone(formatZone(timeZone, new Date()))}</p>
    </>
  );
}

function nameOf(book: OpenBook | undefined, isStaff: boolean): readonly string[] {
  if (book !== undefined) return [shell.inBook(book.merchant.name, book.mode)];
  return isStaff ? [shell.staff.word] : [];
}

/** "Up to date, 14:32:07". It does not say "live": that word belongs to books. */
function Fresh() {
  const { state } = useStreamState();
  const { timeZone } = usePreferences();
  const isFetching = useIsFetching() > 0;
  const hasFailed = useHasFailed();
  if (state.kind !== 'current') return null;
  if (hasFailed) return <span className="fresh fresh-asks">{shell.fresh.notAll}</span>;
  return (
    <span className={isFetching ? 'fresh fresh-asks' : 'fresh'}>
      {shell.fresh.upToDate}{' '}
      <time dateTime={state.at.toISOString()}>{formatClock(state.at, timeZone)}</time>
    </span>
  );
}

/** Whether a part of the page could not be loaded: what stands there may be older than it looks. */
function useHasFailed(): boolean {
  const queries = useQueryClient();
  const cache = queries.getQueryCache();
  return useSyncExternalStore(
    (onChange) => cache.subscribe(onChange),
    () => cache.getAll().some((query) => query.isActive() && query.state.status === 'error'),
  );
}
