import { useQuery } from '@tanstack/react-query';
import type { BookEvent } from '../../api/developer-types.ts';
import type { Page as ListPage } from '../../api/page.ts';
import { useBookApi } from '../../app/book-api.ts';
import { useBookKey, useMay } from '../../app/session.ts';
import { formatPhone } from '../../format/format-phone.ts';

/** The most that one call answers with. */
const EVENTS_MAX = 100;

/**
 * What people know the subjects of the latest events by: the reference of a payout, the number of a recipient. Older
 * events have no name here, and people who may not see payouts get none.
 */
export function useEventNames(): ReadonlyMap<string, string> {
  const api = useBookApi();
  const key = useBookKey();
  const isAllowed = useMay()('payouts:read');
  const query = { limit: EVENTS_MAX };
  const { data } = useQuery({
    queryKey: key('events', 'latest', query),
    queryFn: ({ signal }) => api<ListPage<BookEvent>>({ path: '/events/latest', query, signal }),
    enabled: isAllowed,
  });
  return new Map(
    (data?.items ?? []).flatMap(({ id, data: subject }) => {
      const { reference, phone } = subject as Record<string, string | undefined>;
      const name = reference ?? (phone === undefined ? undefined : formatPhone(phone));
      return name === undefined ? [] : [[id, name]];
    }),
  );
}
