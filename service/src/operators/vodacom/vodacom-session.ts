import type { FetchedSession } from './fetch-session.ts';

/** The new session is asked for so much earlier that it is live before the old one ends. */
const RENEW_MARGIN_MS = 60_000;
/** Our clock starts before the operator's, but not by more than this. */
const EXPIRY_MARGIN_MS = 5_000;
/** How long to let a new session rest that was refused although it should be live by now. */
const ACTIVATION_STEP_MS = 2_000;
/** How soon a renewal that failed is tried again; the present session still serves. */
const RENEW_GAP_MS = 5_000;
/** Answers to calls under an older session may still come in. */
const REMEMBERED_MAX = 4;
/** A session that nothing accepts for so long after it should be live is given up. */
const ACTIVATION_GRACE_MS = 60_000;

export type SessionAnswer =
  | Readonly<{ kind: 'live'; sessionId: string }>
  /** There is one, and the operator will not take it yet. */
  | Readonly<{ kind: 'warming'; liveInMs: number }>
  | Readonly<{ kind: 'failed'; cause: string }>;

export type VodacomSession = Readonly<{
  take(): Promise<SessionAnswer>;
  /** The operator took the session: if it refuses it later, then the session has ended. */
  accepted(sessionId: string): void;
  refused(sessionId: string): void;
  /** What must not be kept of any answer. */
  secrets(): readonly string[];
}>;

export type SessionOptions = Readonly<{
  fetch: () => Promise<FetchedSession>;
  lifetimeMs: number;
  activationMs: number;
  /** Whether the old session still works when there is a new one. */
  overlap: boolean;
  monotonicMs: () => number;
}>;

type Held = {
  readonly id: string;
  readonly renewAtMs: number;
  readonly expiresAtMs: number;
  readonly givenUpAtMs: number;
  liveAtMs: number;
  proven: boolean;
};

/**
 * One session for all calls. A new one takes up to half a minute to become live, so the next is
 * fetched while the present one still serves. Whoever asks meanwhile shares one fetch.
 */
export function createVodacomSession(options: SessionOptions): VodacomSession {
  const { fetch, monotonicMs } = options;
  let present: Held | undefined;
  let next: Held | undefined;
  let fetching: Promise<FetchedSession> | undefined;
  let renewedAtMs = Number.NEGATIVE_INFINITY;
  let remembered: readonly string[] = [];

  function fetchOnce(): Promise<FetchedSession> {
    fetching ??= fetchAndHold().finally(() => {
      fetching = undefined;
    });
    return fetching;
  }

  async function fetchAndHold(): Promise<FetchedSession> {
    const askedAtMs = monotonicMs();
    const fetched = await fetch();
    if (fetched.kind === 'fetched') {
      remembered = [fetched.sessionId, ...remembered].slice(0, REMEMBERED_MAX);
      next = hold(options, { id: fetched.sessionId, askedAtMs, fetchedAtMs: monotonicMs() });
    }
    return fetched;
  }

  /** The session to use now: the next one as soon as it is live, or when there is no other. */
  function settle(): Held | undefined {
    const nowMs = monotonicMs();
    if (present !== undefined && nowMs >= present.expiresAtMs) present = undefined;
    if (next !== undefined && (present === undefined || nowMs >= next.liveAtMs)) {
      present = next;
      next = undefined;
    }
    return present;
  }

  function renewInTime(held: Held): void {
    const nowMs = monotonicMs();
    if (nowMs < held.renewAtMs || nowMs < renewedAtMs + RENEW_GAP_MS) return;
    renewedAtMs = nowMs;
    void fetchOnce();
  }

  return {
    async take() {
      let held = settle();
      if (held === undefined) {
        const fetched = await fetchOnce();
        if (fetched.kind === 'failed') return fetched;
        held = settle();
        if (held === undefined) return { kind: 'failed', cause: 'no session: it ended at once' };
      } else if (next === undefined) {
        renewInTime(held);
      }
      const liveInMs = held.liveAtMs - monotonicMs();
      return liveInMs > 0 ? { kind: 'warming', liveInMs } : { kind: 'live', sessionId: held.id };
    },
    accepted(sessionId) {
      if (present?.id === sessionId) present.proven = true;
    },
    refused(sessionId) {
      if (present?.id !== sessionId) return;
      const nowMs = monotonicMs();
      // One that never worked is rather not live yet; a new one would only begin to warm up again.
      if (present.proven || nowMs >= present.givenUpAtMs) present = undefined;
      else present.liveAtMs = nowMs + ACTIVATION_STEP_MS;
    },
    secrets: () => remembered,
  };
}

function hold(
  { lifetimeMs, activationMs, overlap }: SessionOptions,
  { id, askedAtMs, fetchedAtMs }: Readonly<{ id: string; askedAtMs: number; fetchedAtMs: number }>,
): Held {
  const liveAtMs = fetchedAtMs + activationMs;
  const expiresAtMs = askedAtMs + lifetimeMs - Math.min(EXPIRY_MARGIN_MS, lifetimeMs / 10);
  const renewAtMs = overlap
    ? Math.max(askedAtMs + lifetimeMs / 2, expiresAtMs - activationMs - RENEW_MARGIN_MS)
    : Number.POSITIVE_INFINITY;
  const givenUpAtMs = liveAtMs + ACTIVATION_GRACE_MS;
  return { id, renewAtMs, expiresAtMs, givenUpAtMs, liveAtMs, proven: false };
}
