import { invalidArgument, KafueError, type KafueErrorDetail } from '../kafue-error.ts';
import type { CallOptions } from '../transport.ts';

export type WaitOptions = CallOptions &
  Readonly<{
    /**
     * How long to wait: 600,000 (10 minutes) by itself, at most 604,800,000 (a week). The last look may take a second more,
     * so that 0 looks once.
     */
    timeoutMs?: number | undefined;
  }>;

export type WaitDeps = Readonly<{
  now: () => number;
  /** Resolves after the time, or as soon as the signal ends the call. */
  pause: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
}>;

/** What is waited for. */
type Wait<Seen, Wanted> = Readonly<{
  read: (signal: AbortSignal) => Promise<Seen>;
  /** Undefined: it is waited on. */
  accept: (seen: Seen) => Wanted | undefined;
  pauseMaxMs: number;
  /** What the error says when the time is up. */
  describePending: (seen: Seen, timeoutMs: number) => Pick<KafueErrorDetail, 'message' | 'data'>;
}>;

/** The last that was seen, and the error of reading it again; or the error alone when nothing was ever seen. */
type Look<Seen> = Readonly<{ seen: Seen; error?: KafueError }> | Readonly<{ error: KafueError }>;

const TIMEOUT_DEFAULT_MS = 600_000;
const TIMEOUT_MAX_MS = 7 * 24 * 3_600_000;
const PAUSE_FIRST_MS = 500;
const LOOK_MIN_MS = 1_000;

/** Reads again and again until what is seen is accepted, or the time is up. */
export async function waitUntil<Seen, Wanted>(
  { now, pause }: WaitDeps,
  { read, accept, pauseMaxMs, describePending }: Wait<Seen, Wanted>,
  options: WaitOptions,
): Promise<Wanted> {
  const { signal } = options;
  const timeoutMs = readWaitMs(options);
  const deadline = now() + timeoutMs;
  let last: Look<Seen> | undefined;
  for (let pauseMs = PAUSE_FIRST_MS; ; pauseMs = Math.min(pauseMs * 2, pauseMaxMs)) {
    const look = await lookOnce(read, { signal, leftMs: deadline - now() });
    const wanted = 'seen' in look ? accept(look.seen) : undefined;
    if (wanted !== undefined) return wanted;
    last = 'seen' in look || last === undefined ? look : { ...last, error: look.error };
    const leftMs = deadline - now();
    if (leftMs <= 0) {
      if (!('seen' in last)) throw last.error;
      const pending = describePending(last.seen, timeoutMs);
      throw new KafueError({
        code: 'STILL_PENDING',
        ...pending,
        retryable: true,
        cause: last.error,
      });
    }
    // A signal that ends the pause ends the next read too, with the error for it.
    await pause(Math.min(pauseMs, leftMs), signal);
  }
}

function readWaitMs({ timeoutMs = TIMEOUT_DEFAULT_MS }: WaitOptions): number {
  if (timeoutMs >= 0 && timeoutMs <= TIMEOUT_MAX_MS) return timeoutMs;
  throw invalidArgument(`timeoutMs must be a number from 0 to ${TIMEOUT_MAX_MS}.`);
}

/** Reads until the time is up, however often it is sent again. An error that may pass is waited out. */
async function lookOnce<Seen>(
  read: (signal: AbortSignal) => Promise<Seen>,
  { signal, leftMs }: Readonly<{ signal: AbortSignal | undefined; leftMs: number }>,
): Promise<Look<Seen>> {
  const lookMs = Math.max(leftMs, LOOK_MIN_MS);
  const controller = new AbortController();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    controller.abort();
  }, lookMs);
  const passOn = () => controller.abort(signal?.reason);
  if (signal?.aborted) passOn();
  signal?.addEventListener('abort', passOn, { once: true });
  try {
    return { seen: await read(controller.signal) };
  } catch (error) {
    if (!(error instanceof KafueError)) throw error;
    if (error.retryable) return { error };
    if (isLate && error.code === 'ABORTED') return { error: tookTooLong(lookMs, error) };
    throw error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', passOn);
  }
}

function tookTooLong(lookMs: number, cause: KafueError): KafueError {
  const message = `No answer within ${lookMs} ms.`;
  return new KafueError({ code: 'TIMEOUT', message, retryable: true, cause });
}
