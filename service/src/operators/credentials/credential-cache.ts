import { createHash } from 'node:crypto';
import type { CredentialStore, KeptCredential } from './credential-store.ts';

/** While the current credential is usable, a failed refresh is not retried sooner. */
const REFRESH_PAUSE_MS = 5_000;
/** How long to wait with a new credential that was refused although it should be accepted by now. */
const ACTIVATION_STEP_MS = 2_000;
/** Older credentials that are kept, because answers to calls that used them may still arrive. */
const REMEMBERED_MAX = 6;

export type FetchedCredential =
  /** Both count from the request, because a credential is issued at the earliest when it is requested. */
  | Readonly<{ kind: 'fetched'; value: string; freshForMs: number; usableForMs: number }>
  | Readonly<{ kind: 'failed'; cause: string }>;

export type CredentialAnswer =
  | Readonly<{
      kind: 'ready';
      value: string;
      /** It was read from the store and not yet accepted since: the operator may have ended it meanwhile. */
      untried?: true;
    }>
  /** There is a credential, and the operator does not accept it yet. */
  | Readonly<{ kind: 'warming'; cause: string; readyInMs: number }>
  | Readonly<{ kind: 'failed'; cause: string }>;

export type CredentialCache = Readonly<{
  take(): Promise<CredentialAnswer>;
  /** The operator accepted it: a later refusal means that it has ended. */
  accepted(value: string): void;
  /** Forgets the credential, here and in the store. Does nothing for one that is no longer used. */
  refused(value: string): void;
  /** The values that an operator's answer could repeat. */
  secrets(): readonly string[];
}>;

export type CredentialCacheOptions = Readonly<{
  fetch: () => Promise<FetchedCredential>;
  keeper: CredentialStore;
  /**
   * The keys that the operator issues the credential for. One that was obtained with other keys is not used: a session
   * must not outlive a key that was replaced.
   */
  obtainedWith: readonly string[];
  /** How long the operator refuses a new credential; 0 if it accepts it at once. */
  activationMs: number;
  /** How long after that a refusal of a credential that never worked is read as "not yet". */
  activationGraceMs: number;
  /** Whether the current credential still works once there is a new one. */
  overlap: boolean;
  monotonicMs: () => number;
  newUuid: () => string;
}>;

type Held = {
  readonly id: string;
  readonly value: string;
  readonly refreshAtMs: number;
  readonly expiresAtMs: number;
  readonly givenUpAtMs: number;
  readonly wasKept: boolean;
  readyAtMs: number;
  proven: boolean;
};

type Obtained =
  | Readonly<{ kind: 'obtained'; held: Held }>
  | (FetchedCredential & { kind: 'failed' });

/**
 * The token or session for all calls of a route. It is fetched once for any number of waiting callers. Its successor is
 * fetched while it is still usable, so a slow or failing refresh has no effect before its expiry. The store is read
 * before anything is fetched, so that a process that starts, or another one beside it, continues with the credential
 * that the operator already issued.
 */
export function createCredentialCache(options: CredentialCacheOptions): CredentialCache {
  const { keeper, monotonicMs, overlap } = options;
  const obtainedWith = digest(options.obtainedWith);
  let present: Held | undefined;
  let next: Held | undefined;
  let obtaining: Promise<Obtained> | undefined;
  let pausedUntilMs = Number.NEGATIVE_INFINITY;
  let remembered: readonly string[] = [];
  let refusedIds: readonly string[] = [];
  let refusedExpiresAtMs = Number.NEGATIVE_INFINITY;

  function obtainOnce(): Promise<Obtained> {
    obtaining ??= obtain().finally(() => {
      obtaining = undefined;
    });
    return obtaining;
  }

  async function obtain(): Promise<Obtained> {
    const kept = await findKept();
    if (kept !== undefined) return { kind: 'obtained', held: kept };
    const askedAtMs = monotonicMs();
    const fetched = await options.fetch().catch(unexpected);
    const nowMs = monotonicMs();
    if (fetched.kind === 'failed') {
      pausedUntilMs = nowMs + REFRESH_PAUSE_MS;
      return fetched;
    }
    const held = hold({
      wasKept: false,
      id: options.newUuid(),
      value: fetched.value,
      readyAtMs: nowMs + options.activationMs,
      refreshAtMs: askedAtMs + (overlap ? fetched.freshForMs : fetched.usableForMs),
      expiresAtMs: askedAtMs + fetched.usableForMs,
    });
    next = held;
    // Not awaited: a payout must not wait for what only the next start needs.
    void keeper.keep(toKept(held, { obtainedWith, nowMs }));
    return { kind: 'obtained', held };
  }

  /** Takes over a credential that another process, or this one before its restart, has obtained since. */
  async function findKept(): Promise<Held | undefined> {
    const askedAtMs = monotonicMs();
    const loaded = await keeper.load();
    const heardAtMs = monotonicMs();
    const kept = loaded.filter(
      (each) => each.obtainedWith === obtainedWith && !refusedIds.includes(each.id),
    );
    // If two cannot overlap, the newest has ended all others. One older than a refused one has probably ended with it,
    // and a payout is sent again only once.
    const usable = (overlap ? kept : kept.slice(0, 1))
      .map((each) => fromKept(each, { askedAtMs, heardAtMs }))
      .filter((each) => each.expiresAtMs > refusedExpiresAtMs);
    if (present !== undefined) {
      const { id, expiresAtMs } = present;
      const fresher = usable.find(
        (each) => each.id !== id && each.expiresAtMs > expiresAtMs && each.refreshAtMs > askedAtMs,
      );
      if (fresher !== undefined) next = hold(fresher);
      return next;
    }
    const ready = usable.find((each) => each.readyAtMs <= heardAtMs);
    const [newest] = usable;
    if (ready !== undefined) present = hold(ready);
    if (newest !== undefined && newest !== ready) next = hold(newest);
    return present ?? next;
  }

  function hold(given: Omit<Held, 'givenUpAtMs' | 'proven'>): Held {
    const { value, readyAtMs, wasKept } = given;
    remembered = [value, ...remembered.filter((each) => each !== value)].slice(0, REMEMBERED_MAX);
    // A stored credential has worked before, so a refusal means that it has ended.
    const givenUpAtMs = readyAtMs + (wasKept ? 0 : options.activationGraceMs);
    return { ...given, givenUpAtMs, proven: false };
  }

  /** The credential to use now: the next as soon as it is accepted, or if there is no other. */
  function settle(): Held | undefined {
    const nowMs = monotonicMs();
    if (present !== undefined && nowMs >= present.expiresAtMs) present = undefined;
    if (next !== undefined && (present === undefined || nowMs >= next.readyAtMs)) {
      present = nowMs < next.expiresAtMs ? next : present;
      next = undefined;
    }
    return present;
  }

  function refreshInTime(held: Held): void {
    const nowMs = monotonicMs();
    if (next === undefined && nowMs >= held.refreshAtMs && nowMs >= pausedUntilMs) {
      void obtainOnce();
    }
  }

  return {
    async take() {
      let held = settle();
      if (held !== undefined) {
        refreshInTime(held);
      } else {
        const obtained = await obtainOnce();
        if (obtained.kind === 'failed') return obtained;
        // One that expired while it was fetched is tried anyway: the operator decides.
        held = settle() ?? obtained.held;
      }
      const readyInMs = held.readyAtMs - monotonicMs();
      if (readyInMs > 0) {
        return { kind: 'warming', cause: 'the operator does not accept it yet', readyInMs };
      }
      const { value, wasKept, proven } = held;
      return wasKept && !proven
        ? { kind: 'ready', value, untried: true }
        : { kind: 'ready', value };
    },
    accepted(value) {
      if (present?.value === value) present.proven = true;
    },
    refused(value) {
      if (present?.value !== value) return;
      const nowMs = monotonicMs();
      // One that never worked is probably not accepted yet; a new one would only start to warm up again.
      if (!present.proven && nowMs < present.givenUpAtMs) {
        present.readyAtMs = nowMs + ACTIVATION_STEP_MS;
        // Or another process has obtained one since, which ended this one.
        void findKept();
        return;
      }
      const { id, expiresAtMs } = present;
      refusedIds = [id, ...refusedIds].slice(0, REMEMBERED_MAX);
      refusedExpiresAtMs = expiresAtMs;
      present = undefined;
      void keeper.remove(id);
    },
    secrets: () => remembered,
  };
}

function toKept(
  held: Held,
  { obtainedWith, nowMs }: Readonly<{ obtainedWith: string; nowMs: number }>,
): KeptCredential {
  return {
    id: held.id,
    value: held.value,
    obtainedWith,
    readyInMs: held.readyAtMs - nowMs,
    refreshInMs: held.refreshAtMs - nowMs,
    expiresInMs: held.expiresAtMs - nowMs,
  };
}

/**
 * The remaining times were true at some moment between the request and the answer. Each is read so that the credential
 * is ready later and expires sooner: a payout under a session that is not live yet is in doubt.
 */
function fromKept(
  kept: KeptCredential,
  { askedAtMs, heardAtMs }: Readonly<{ askedAtMs: number; heardAtMs: number }>,
) {
  return {
    wasKept: true,
    id: kept.id,
    value: kept.value,
    readyAtMs: heardAtMs + kept.readyInMs,
    refreshAtMs: askedAtMs + kept.refreshInMs,
    expiresAtMs: askedAtMs + kept.expiresInMs,
  };
}

function digest(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** Never the message of an error: it could contain what was being sent. */
function unexpected(error: unknown): FetchedCredential & { kind: 'failed' } {
  return { kind: 'failed', cause: error instanceof Error ? error.name : 'an unknown error' };
}
