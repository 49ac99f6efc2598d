import { useQuery } from '@tanstack/react-query';
import type { ApprovalItem, ApprovalView } from '../../api/control-types.ts';
import type { Page } from '../../api/page.ts';
import { useBookApi } from '../../app/book-api.ts';
import { useBookKey } from '../../app/session.ts';

/** Older approvals are on the page of approvals. */
const READ_MAX = 100;

/** Approvals of payout files by the id of the file. */
export function useFileApprovals(
  view: ApprovalView,
  enabled: boolean,
): ReadonlyMap<string, ApprovalItem> | undefined {
  const api = useBookApi();
  const key = useBookKey();
  const found = useQuery({
    queryKey: key('approvals', view),
    queryFn: ({ signal }) =>
      api<Page<ApprovalItem>>({
        path: '/approvals',
        query: { view, limit: READ_MAX },
        signal,
      }),
    enabled,
  });
  if (found.data === undefined) return undefined;
  return new Map(
    found.data.items.filter(({ kind }) => kind === 'file').map((item) => [item.id, item]),
  );
}
