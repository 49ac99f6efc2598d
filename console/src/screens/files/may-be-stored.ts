import { ApiError } from '../../api/api-error.ts';

const TOO_MANY_REQUESTS = 429;

/**
 * Whether a failed upload may have stored its file, so that it is sent again under the same key. After a lost answer, a
 * fault of the service and a 429 it may: an upload waits for several turns, and the file is stored after the first.
 */
export function mayBeStored(error: unknown): boolean {
  if (!(error instanceof ApiError)) return true;
  return error.status >= 500 || error.status === TOO_MANY_REQUESTS;
}
