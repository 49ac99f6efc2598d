import { decideRetry, type FailedAttempt } from './decide-retry.ts';
import { KafueError, type KafueErrorDetail } from './kafue-error.ts';
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
  for (let attempts = 0; ; ) {
    if (signal?.aborted) throw new KafueError({ ...aborted(signal), attempts });
    attempts += 1;
    const came = await sendOnce({ fetch: deps.fetch, timeoutMs }, request);
    const reading = 'failure' in came ? came : read(came);
    if ('value' in reading) return reading.value;
    const failed = describeAttempt(came, deps.now());
    const jitter = deps.random();
    const decision = decideRetry(failed, { attempts, retriesMax, isRepeatable, jitter });
    if (!decision.retry) throw finalError(reading.failure, { failed, attempts });
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

function finalError(
  failure: KafueErrorDetail,
  { failed, attempts }: Readonly<{ failed: FailedAttempt; attempts: number }>,
): KafueError {
  return new KafueError({ ...failure, retryAfterSeconds: failed.retryAfterSeconds, attempts });
}
