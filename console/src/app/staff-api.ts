import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import { type Call, call } from '../api/call.ts';
import { keepList } from './keep-list.ts';
import { inOneLine } from './one-line.ts';

/** A call of the staff, below /operations. */
export function callStaff<T>(given: Call): Promise<T> {
  return call({ ...given, path: `/operations${given.path}` });
}

type Asked = Pick<Call, 'path' | 'query'> &
  Readonly<{
    /** True: changes elsewhere do not load it again, because rows appear only on request. */
    isList?: boolean;
    /** Load it again after this time, for data that changes without an event. */
    refetchMs?: number;
  }>;

export function useStaffQuery<T>({
  path,
  query,
  isList = false,
  refetchMs,
}: Asked): UseQueryResult<T> {
  return useQuery({
    queryKey: ['staff', path, query],
    queryFn: ({ signal }) => callStaff<T>({ path, query, signal }),
    placeholderData: keepList(path),
    meta: { isList },
    ...(refetchMs === undefined ? {} : { refetchInterval: refetchMs }),
  });
}

/** Asks the service again, past the cache. Throws when no answer comes. */
export async function askAnew<T>(found: UseQueryResult<T>): Promise<T> {
  const { data } = await found.refetch({ throwOnError: true });
  if (data === undefined) throw new Error('an answer without data');
  return data;
}

/** Makes a call that changes something, then loads everything that is shown again. */
export function useStaffAct(): <T>(given: Call) => Promise<T> {
  const queries = useQueryClient();
  return async (given) => {
    try {
      // A body is sent where one may be read.
      const body = given.method === 'DELETE' ? {} : { body: inOneLine(given.body ?? {}) };
      return await callStaff({ method: 'POST', ...given, ...body });
    } finally {
      // Also after a refusal, so that the screen shows its cause.
      void queries.invalidateQueries({ queryKey: ['staff'] });
    }
  };
}

export { useInactive } from './may-act.ts';
