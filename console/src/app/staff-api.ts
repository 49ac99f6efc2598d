import {
  keepPreviousData,
  type UseQueryResult,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { type Call, call } from '../api/call.ts';

/** A call of the staff, below /operations. */
export function callStaff<T>(given: Call): Promise<T> {
  return call({ ...given, path: `/operations${given.path}` });
}

type Asked = Pick<Call, 'path' | 'query'> &
  Readonly<{
    /** Rows come on request only: changes elsewhere do not ask for it anew. */
    isList?: boolean;
    /** Asked anew after this time: what changes without an event. */
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
    // What was there stays while another page or filter is fetched.
    placeholderData: keepPreviousData,
    meta: { isList },
    ...(refetchMs === undefined ? {} : { refetchInterval: refetchMs }),
  });
}

/** Makes a call that changes something, then asks everything in sight anew. */
export function useStaffAct(): <T>(given: Call) => Promise<T> {
  const queries = useQueryClient();
  return async (given) => {
    try {
      // A body is sent where one may be read.
      const body = given.method === 'DELETE' ? {} : { body: {} };
      return await callStaff({ method: 'POST', ...body, ...given });
    } finally {
      // Also after a refusal: the screen then shows what caused it.
      void queries.invalidateQueries({ queryKey: ['staff'] });
    }
  };
}

export { useInactive } from './may-act.ts';
