import { decideRetry, type FailedAttempt } from './decide-retry.ts';
import { KafueError, type KafueErrorDetail } from './kafue-error.ts';
import type { ClientErrorCode } from './model/failure.ts';
import { type Reading, retryAfterSeconds, shouldRetry } from './read-answer.ts';
import {
  type Answer,
  aborted,
  type FetchFunction,
  type HttpRequest,
  type NoAnswer,
  sendOnce,
} from './send-once.ts';

/** The world outside, as an argument. */
export type SendDeps = Readonly<{
  fetch: FetchFunction;
  now: () => number;
  /** From 0 to 1. */
  random: () => number;
  /** Resolves after the time, or as soon as the signal ends the call. */
  pause: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
}>;

export type RetrySettings = Readonly<{
  /** For each attempt. */
  timeoutMs: number;
  retriesMax: number;
}>;

type Sending<Value> = Readonly<{
  request: HttpRequest;
  isRepeatable: boolean;
  read: (answer: Answer) => Reading<Value>;
}>;

/** Sends the request until it succeeds or there is no use or no right to send it again. */
export async function sendUntilDecided<Value>(
  deps: SendDeps,
  { timeoutMs, retriesMax }: RetrySettings,
  { request, isRepeatable, read }: Sending<Value>,
): Promise<Value> {
  const { signal } = request;
  // Counted over all attempts: a later one that never left does not undo an earlier one that may have arrived.
  let earlierMayHaveBeenDone = false;
  for (let attempts = 0; ; ) {
    if (signal?.aborted) {
      const mayHaveBeenDone = earlierMayHaveBeenDone;
      const ending = { request, attempts, mayHaveBeenDone, earlierMayHaveBeenDone };
      throw finalError(aborted(signal), ending);
    }
    attempts += 1;
    const came = await sendOnce({ fetch: deps.fetch, timeoutMs }, request);
    const reading = 'failure' in came ? came : read(came);
    if ('value' in reading) return reading.value;
    const failed = describeAttempt(came, deps.now());
    const mayHaveBeenDone: boolean =
      earlierMayHaveBeenDone || (request.method !== 'GET' && !wasTurnedAway(failed));
    const jitter = deps.random();
    const decision = decideRetry(failed, { attempts, retriesMax, isRepeatable, jitter });
    if (!decision.retry) {
      const { retryAfterSeconds } = failed;
      const failure = { ...reading.failure, retryAfterSeconds };
      const ending = { request, attempts, mayHaveBeenDone, earlierMayHaveBeenDone };
      throw finalError(failure, ending);
    }
    earlierMayHaveBeenDone = mayHaveBeenDone;
    await deps.pause(decision.afterMs, signal);
  }
}

function describeAttempt(came: Answer | NoAnswer, nowMs: number): FailedAttempt {
  if (!('failure' in came)) {
    return {
      status: came.status,
      shouldRetry: shouldRetry(came),
      retryAfterSeconds: retryAfterSeconds(came, nowMs),
      neverSent: false,
      wasAborted: false,
    };
  }
  return {
    status: null,
    shouldRetry: came.failure.retryable ?? null,
    retryAfterSeconds: null,
    neverSent: came.neverSent,
    wasAborted: came.failure.code === 'ABORTED',
  };
}

/** It never left, or the answer says that it was refused. */
function wasTurnedAway({ neverSent, status }: FailedAttempt): boolean {
  return neverSent || (status !== null && status >= 400 && status < 500);
}

type Ending = Readonly<{
  request: HttpRequest;
  attempts: number;
  /** Of any attempt. */
  mayHaveBeenDone: boolean;
  /** Of an attempt before the last one. */
  earlierMayHaveBeenDone: boolean;
}>;

function finalError(failure: KafueErrorDetail, ending: Ending): KafueError {
  const { attempts, mayHaveBeenDone } = ending;
  const message = `${failure.message}${describeEffect(failure, ending)}`;
  return new KafueError({ ...failure, message, attempts, mayHaveBeenDone });
}

/** A read has no effect to speak of. */
function describeEffect(
  { code }: KafueErrorDetail,
  { request, mayHaveBeenDone, earlierMayHaveBeenDone }: Ending,
): string {
  if (request.method === 'GET') return '';
  if (!WITHOUT_SERVICE_CODES.includes(code)) {
    // The service's "Nothing was stored" is about the last attempt alone.
    return earlierMayHaveBeenDone ? ' An earlier attempt may have been done: look it up.' : '';
  }
  if (mayHaveBeenDone) return ' Whether it was done is not known.';
  return code === 'UNEXPECTED_ANSWER' ? '' : ' Nothing was sent.';
}

/** Codes of failures in which the service itself said nothing. */
const WITHOUT_SERVICE_CODES: readonly string[] = [
  'CONNECTION_FAILED',
  'TIMEOUT',
  'ABORTED',
  'UNEXPECTED_ANSWER',
] satisfies readonly ClientErrorCode[];
