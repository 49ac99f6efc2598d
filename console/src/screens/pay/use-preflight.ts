import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Preflight } from '../../api/transfer-types.ts';
import { useBookApi } from '../../app/book-api.ts';
import { useBookKey } from '../../app/session.ts';

/** A question follows this long after the last key. */
const QUIET_MS = 300;

type Order = Readonly<Record<string, string | number>>;

/** Checks the order with the service while it is typed. Nothing is stored. */
export function usePreflight(order: Order) {
  const api = useBookApi();
  const key = useBookKey();
  const text = JSON.stringify(order);
  const [asked, setAsked] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setAsked(text), QUIET_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const isEmpty = order['phone'] === undefined && order['amount'] === undefined;
  const found = useQuery({
    queryKey: key('preflight', asked),
    queryFn: async ({ signal }) => {
      const body = JSON.parse(asked) as Order;
      const preflight = await api<Preflight>({
        method: 'POST',
        path: '/transfers/mobile-money/preflight',
        body,
        signal,
      });
      return { preflight, of: `${body['country'] ?? ''} ${body['phone'] ?? ''}` };
    },
    enabled: !isEmpty,
    // Names that are looked up count for the day: other payouts of the book are no reason to ask again.
    meta: { isList: true },
    refetchOnWindowFocus: false,
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
  return {
    preflight: isEmpty ? undefined : found.data?.preflight,
    /** The country and number that it is about: while the next one is asked, the one before is still here. */
    of: found.data?.of ?? '',
    error: found.isError ? found.error : undefined,
    isChecking: asked !== text || found.isFetching,
    checkAgain: () => void found.refetch(),
  };
}
