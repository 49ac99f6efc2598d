import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { PayoutFile } from '../../api/payout-file-types.ts';
import { useBookApi } from '../../app/book-api.ts';
import { useBookKey } from '../../app/session.ts';

/** The check of rows and of names tells no stream how far it is. */
const LOOK_AGAIN_MS = 1_000;

export function useFile(id: string) {
  const api = useBookApi();
  const key = useBookKey();
  return useQuery({
    queryKey: key('payout-file', id),
    queryFn: ({ signal }) => api<PayoutFile>({ path: `/payout-files/${id}`, signal }),
    refetchInterval: ({ state: { data } }) =>
      data?.state === 'checking' || data?.names.state === 'asking' ? LOOK_AGAIN_MS : false,
  });
}

/** Has everything that shows files asked anew, also after a refusal: what it was refused for is then in sight. */
export function useRefreshFile(): () => Promise<void> {
  const queries = useQueryClient();
  const key = useBookKey();
  return async () => {
    void queries.invalidateQueries({ queryKey: key('payout-files') });
    void queries.invalidateQueries({ queryKey: key('approvals') });
    await queries.invalidateQueries({ queryKey: key('payout-file') });
  };
}

/** Names the changes of rows that are being stored. */
export function useRowChangesKey(id: string): readonly unknown[] {
  return useBookKey()('payout-file', id, 'change');
}
