import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { PayoutFile } from '../../api/payout-file-types.ts';
import { useBookApi } from '../../app/book-api.ts';
import { useBookKey } from '../../app/session.ts';

/** The file is polled while rows and names are checked, because the stream does not report that progress. */
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

/** Loads everything that shows files again, also after a refusal, so that its cause is shown. */
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
