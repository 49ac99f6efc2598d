import { shell } from '../texts/en/shell.ts';
import { ApiError, type FieldProblem, NoAnswer } from './api-error.ts';
import { isUnattended } from './attendance.ts';
import { noticeSessionEnded } from './session-ended.ts';

/** A call without an answer for this long is given up. Payouts answer in well under a second. */
const CALL_TIMEOUT_MS = 20_000;
/** The code decides, not the status: a wrong second factor is a 401 too, and the session goes on. */
const NO_SESSION = 'UNAUTHORIZED';

type Query = Readonly<Record<string, string | number | undefined>>;

export type Call = Readonly<{
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below /api/v1, with its first slash. */
  path: string;
  query?: Query | undefined;
  body?: unknown;
  /** Sent as it is, instead of a body. */
  file?: Blob;
  /** The book that is meant: sent as `x-book`. */
  bookId?: string | undefined;
  headers?: Readonly<Record<string, string>>;
  signal?: AbortSignal | undefined;
  /** For the few calls that take longer than others. */
  timeoutMs?: number;
  /** Asked before there is a session: that there is none does not mean that one ended. */
  isSignIn?: boolean;
}>;

export function addressOf(path: string, query: Query = {}): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') params.set(name, String(value));
  }
  const text = params.toString();
  return `/api/v1${path}${text === '' ? '' : `?${text}`}`;
}

/** Sends one call and returns the whole answer. Throws ApiError for a refusal and NoAnswer when none came. */
export async function send(call: Call): Promise<Response> {
  const { method = 'GET', body, file, bookId, headers, signal } = call;
  const limit = AbortSignal.timeout(call.timeoutMs ?? CALL_TIMEOUT_MS);
  let answer: Response;
  try {
    answer = await fetch(addressOf(call.path, call.query), {
      method,
      credentials: 'same-origin',
      cache: 'no-store',
      redirect: 'error',
      headers: {
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        // Which kind it is the service sees from its bytes: systems name the type of CSV differently.
        ...(file === undefined ? {} : { 'content-type': 'application/octet-stream' }),
        ...(bookId === undefined ? {} : { 'x-book': bookId }),
        ...(isUnattended() ? { 'x-unattended': '1' } : {}),
        ...headers,
      },
      body: file ?? (body === undefined ? null : JSON.stringify(body)),
      signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
    });
  } catch (error) {
    // The reader left the page: no error to show.
    if (signal?.aborted) throw error;
    throw new NoAnswer(method !== 'GET', error);
  }
  if (answer.ok) return answer;
  const error = (await readError(answer)) ?? withoutEnvelope(answer, method !== 'GET');
  if (error instanceof NoAnswer) throw error;
  if (error.code === NO_SESSION && call.isSignIn !== true) noticeSessionEnded();
  throw error;
}

/** Sends one call and returns its `data`. */
export async function call<T>(given: Call): Promise<T> {
  const answer = await send(given);
  try {
    const { data } = (await answer.json()) as { data: T };
    return data;
  } catch (error) {
    if (given.signal?.aborted) throw error;
    // The answer broke off: what was asked for is done, but not told.
    throw new NoAnswer((given.method ?? 'GET') !== 'GET', error);
  }
}

/** The refusal in the service's own words; undefined: another program answered in its place. */
async function readError(answer: Response): Promise<ApiError | undefined> {
  try {
    const { message, data } = (await answer.json()) as ErrorBody;
    if (typeof data.error.code !== 'string') return undefined;
    return new ApiError({ status: answer.status, ...data.error, message });
  } catch {
    return undefined;
  }
}

/**
 * A proxy that waited in vain for the service answers 502 or 504. What changes something may have been done by then,
 * and doing it again could make a second key.
 */
function withoutEnvelope({ status, headers }: Response, changes: boolean): ApiError | NoAnswer {
  if (changes && status >= 500) return new NoAnswer(changes, new Error(`HTTP status ${status}`));
  return new ApiError({
    status,
    code: `HTTP_${status}`,
    message: shell.errors.notAvailable,
    retryable: status >= 500 || status === 429,
    requestId: headers.get('x-request-id') ?? '',
  });
}

type ErrorBody = {
  message: string;
  data: {
    error: { code: string; retryable: boolean; requestId: string; fields?: FieldProblem[] };
  };
};
