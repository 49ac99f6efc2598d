import { useQueryClient } from '@tanstack/react-query';
import type { ApprovalItem, DecideAnswer } from '../../api/control-types.ts';
import { useBookApi } from '../../app/book-api.ts';
import { countsKeyOf } from '../../app/book-counts.ts';
import { useBook, useBookKey } from '../../app/session.ts';

export type Decision = 'approve' | 'reject';
type Subject = Pick<ApprovalItem, 'kind' | 'id' | 'contentHash'>;

/** Decides several with one call; each has an answer of its own. */
export function useDecide(): (
  items: readonly Subject[],
  decision: Decision,
  reason: string,
) => Promise<readonly DecideAnswer[]> {
  const api = useBookApi();
  const key = useBookKey();
  const { id: bookId } = useBook();
  const queries = useQueryClient();
  return async (items, decision, reason) => {
    try {
      const { results } = await api<{ results: readonly DecideAnswer[] }>({
        method: 'POST',
        path: '/approvals/decide',
        body: {
          decisions: items.map(({ kind, id, contentHash }) => ({
            kind,
            id,
            contentHash,
            decision,
            ...(reason === '' ? {} : { reason }),
          })),
        },
      });
      return results;
    } finally {
      // Also after a refusal: the screen then shows what caused it.
      void queries.invalidateQueries({ queryKey: key('approvals') });
      void queries.invalidateQueries({ queryKey: key('transfer') });
      void queries.invalidateQueries({ queryKey: key('payout-file') });
      void queries.invalidateQueries({ queryKey: countsKeyOf(bookId) });
    }
  };
}
