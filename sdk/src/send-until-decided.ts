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
  let mayHaveBeenDone = false;
  for (let attempts = 0; ; ) {
    if (signal?.aborted) {
      throw finalError(aborted(signal), { request, attempts, mayHaveBeenDone });
    }
    attempts += 1;
    const came = await sendOnce({ fetch: deps.fetch, timeoutMs }, request);
    const reading = 'failure' in came ? came : read(came);
    if ('value' in reading) return reading.value;
    const failed = describeAttempt(came, deps.now());
    mayHaveBeenDone ||= request.method !== 'GET' && !wasTurnedAway(failed);
    const jitter = deps.random();
    const decision = decideRetry(failed, { attempts, retriesMax, isRepeatable, jitter });
    if (!decision.retry) {
      const { retryAfterSeconds } = failed;
      const failure = { ...reading.failure, retryAfterSeconds };
      throw finalError(failure, { request, attempts, mayHaveBeenDone });
    }
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
    shouldRetry: null,
    retryAfterSeconds: null,
    neverSent: came.neverSent,
    wasAborted: came.failure.code === 'ABORTED',
  };
}

/** It never left, or the answer says that it was refused. */
function wasTurnedAway({ neverSent, status }: FailedAttempt): boolean {
  return neverSent || (status !== null && status >= 400 && status < 500);
}

type Ending = Readonly<{ request: HttpRequest; attempts: number; mayHaveBeenDone: boolean }>;

function finalError(
  failure: KafueErrorDetail,
  { request, attempts, mayHaveBeenDone }: Ending,
): KafueError {
  const message = `${failure.message}${describeEffect(failure, { request, mayHaveBeenDone })}`;
  return new KafueError({ ...failure, message, attempts, mayHaveBeenDone });
}

/** What the service says itself is left as it is; a read has no effect to speak of. */
function describeEffect(
  { code }: KafueErrorDetail,
  { request, mayHaveBeenDone }: Omit<Ending, 'attempts'>,
): string {
  if (request.method === 'GET' || !WITHOUT_SERVICE_CODES.includes(code)) return '';
  return mayHaveBeenDone ? ' Whether it was done is not known.' : ' Nothing was sent.';
}

/** Codes of failures in which the service itself said nothing. */
const WITHOUT_SERVICE_CODES: readonly string[] = [
  'CONNECTION_FAILED',
  'TIMEOUT',
  'ABORTED',
] satisfies readonly ClientErrorCode[];
