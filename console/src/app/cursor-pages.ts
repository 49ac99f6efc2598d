import { useNavigate, useRouterState, useSearch } from '@tanstack/react-router';
import { useState } from 'react';

/**
 * Newer and Older over cursors. The cursor is in the address, so a page can be shared; the way back is remembered with
 * the address in the history of the tab, since a cursor only points to older rows.
 */
export function useCursor(): Readonly<{
  cursor: string | undefined;
  older: (nextCursor: string | null | undefined) => (() => void) | undefined;
  newer: (() => void) | undefined;
}> {
  const { cursor } = useSearch({ strict: false }) as { cursor?: string };
  const stored = useRouterState({
    select: ({ location }) => (location.state as { before?: readonly string[] }).before,
  });
  const navigate = useNavigate();
  // For a link that changes something else of the address: it has no way back of its own.
  const [kept, setKept] = useState<readonly string[]>([]);
  const before = cursor === undefined ? [] : (stored ?? kept);
  const go = (to: string | undefined, way: readonly string[]) => {
    setKept(way);
    void navigate({
      to: '.',
      search: (now: object) => ({ ...now, cursor: to }) as never,
      state: (now: object) => ({ ...now, before: way }) as never,
    });
  };
  return {
    cursor,
    older: (nextCursor) =>
      nextCursor === null || nextCursor === undefined
        ? undefined
        : () => go(nextCursor, [...before, cursor ?? '']),
    newer:
      cursor === undefined ? undefined : () => go(before.at(-1) || undefined, before.slice(0, -1)),
  };
}
