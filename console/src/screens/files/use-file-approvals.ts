import { useQuery } from '@tanstack/react-query';
import type { ApprovalItem } from '../../api/control-types.ts';
import type { Page } from '../../api/page.ts';
import { useBookApi } from '../../app/book-api.ts';
import { useBookKey } from '../../app/session.ts';

/** The page of a file has its own approval: the list says of later ones only that they wait. */
const READ_MAX = 100;

/** Approvals of payout files that wait, by the id of the file. */
export function useFileApprovals(enabled: boolean): ReadonlyMap<string, ApprovalItem> | undefined {
  const api = useBookApi();
  const key = useBookKey();
  const found = useQuery({
    queryKey: key('approvals', 'all'),
    queryFn: ({ signal }) =>
      api<Page<ApprovalItem>>({
        path: '/approvals',
        query: { view: 'all', limit: READ_MAX },
        signal,
      }),
    enabled,
  });
  if (found.data === undefined) return undefined;
  return new Map(
    found.data.items.filter(({ kind }) => kind === 'file').map((item) => [item.id, item]),
  );
}
