import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ApprovalItem } from '../api/control-types.ts';
import type { Page } from '../api/page.ts';
import { Count } from '../parts/tabs.tsx';
import { shell } from '../texts/en/shell.ts';
import { askApprovals } from './ask-approvals.ts';
import { useBookApi } from './book-api.ts';
import { countsKeyOf } from './book-counts.ts';
import { useMay, useOptionalBook } from './session.ts';
import { useChanges } from './stream.tsx';

const EVERY_MS = 15_000;
/** More are shown as "99+". */
const COUNTED_MAX = 100;
/** Events that change the number of approvals refresh the count at once; other payouts do not. */
const CHANGES_COUNT = new Set(['awaiting_approval', 'cancelled']);

/** How many approvals the person can decide. */
export function ApprovalCount() {
  const api = useBookApi();
  const queries = useQueryClient();
  // The own account shows the column of the last book, without one in its address: there is no count then.
  const id = useOptionalBook()?.id ?? '';
  const isApprover = useMay()('payouts:approve');
  const queryKey = countsKeyOf(id);
  const count = useQuery({
    queryKey,
    queryFn: ({ signal }) =>
      askApprovals((query) => api<Page<ApprovalItem>>({ path: '/approvals', query, signal }), {
        view: 'mine',
        limit: COUNTED_MAX,
      }),
    select: ({ items }) => items.length,
    enabled: isApprover,
    refetchInterval: EVERY_MS,
    staleTime: EVERY_MS,
    // Otherwise every payout of the book would refresh the count.
    meta: { isList: true },
  }).data;
  useChanges(({ what, state }) => {
    if (what === 'opened' || (state !== undefined && CHANGES_COUNT.has(state))) {
      void queries.invalidateQueries({ queryKey: countsKeyOf(id) });
    }
  });
  if (!isApprover || count === undefined || count === 0) return null;
  return (
    <>
      <Count count={count} tone="you" />
      <span className="visually-hidden">{shell.counts.approvals}</span>
    </>
  );
}
