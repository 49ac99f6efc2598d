import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';

/**
 * Newer and Older over cursors. The cursor is in the address, so a page can be shared; the way back is remembered in
 * the tab, since a cursor only points to older rows.
 */
export function useCursor(): Readonly<{
  cursor: string | undefined;
  older: (nextCursor: string | null | undefined) => (() => void) | undefined;
  newer: (() => void) | undefined;
}> {
  const { cursor } = useSearch({ strict: false }) as { cursor?: string };
  const navigate = useNavigate();
  const [before, setBefore] = useState<readonly string[]>([]);
  const go = (to: string | undefined) =>
    void navigate({ to: '.', search: (now: object) => ({ ...now, cursor: to }) as never });
  return {
    cursor,
    older: (nextCursor) =>
      nextCursor === null || nextCursor === undefined
        ? undefined
        : () => {
            setBefore([...before, cursor ?? '']);
            go(nextCursor);
          },
    newer:
      cursor === undefined
        ? undefined
        : () => {
            const to = before.at(-1);
            setBefore(before.slice(0, -1));
            go(to === '' ? undefined : to);
          },
  };
}
