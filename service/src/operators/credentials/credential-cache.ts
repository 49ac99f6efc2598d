import { createHash } from 'node:crypto';
import type { CredentialKeeper, KeptCredential } from './credential-keeper.ts';

/** While the present credential serves, a refresh that failed is not tried again sooner. */
const REFRESH_PAUSE_MS = 5_000;
/** How long to let a new credential rest that was refused although it should be accepted by now. */
const ACTIVATION_STEP_MS = 2_000;
/** Answers to calls under an older credential may still come in. */
const REMEMBERED_MAX = 6;

export type FetchedCredential =
  /** Both count from the request: what was asked for now was made now at the earliest. */
  | Readonly<{ kind: 'fetched'; value: string; freshForMs: number; usableForMs: number }>
  | Readonly<{ kind: 'failed'; cause: string }>;

export type CredentialAnswer =
  | Readonly<{
      kind: 'ready';
      value: string;
      /** It was kept, and has not been accepted since: the operator may have ended it meanwhile. */
      untried?: true;
    }>
  /** There is one, and the operator does not accept it yet. */
  | Readonly<{ kind: 'warming'; cause: string; readyInMs: number }>
  | Readonly<{ kind: 'failed'; cause: string }>;

export type CredentialCache = Readonly<{
  take(): Promise<CredentialAnswer>;
  /** The operator took it: if it refuses it later, then it has ended. */
  accepted(value: string): void;
  /** Forgets the credential, here and where it is kept. One that is no longer used is no news. */
  refused(value: string): void;
  /** The values that an operator's answer could repeat. */
  secrets(): readonly string[];
}>;

export type CredentialCacheOptions = Readonly<{
  fetch: () => Promise<FetchedCredential>;
  keeper: CredentialKeeper;
  /**
   * What the operator gives the credential for. One that was obtained with other keys is not used: a key
   * that was replaced must not live on in its session.
   */
  obtainedWith: readonly string[];
  /** How long the operator refuses a new credential. 0: it is accepted at once. */
  activationMs: number;
  /** For how long after that a refusal of one that never worked is taken for "not yet". */
  activationGraceMs: number;
  /** Whether the present credential still works when there is a new one. */
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
 * The token or session under which all calls of a route go out. However many callers wait for it, it is
 * fetched once. Its successor is fetched while it still serves, so that neither a slow nor a failing
 * refresh is felt before its end. What is kept is looked at before anything is fetched, so that a
 * process that starts, or another one beside it, goes on with what the operator gave already.
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
    // Not waited for: a payout must not wait for what only the next start needs.
    void keeper.keep(toKept(held, { obtainedWith, nowMs }));
    return { kind: 'obtained', held };
  }

  /** Takes over what another process, or this one before its restart, was given since. */
  async function findKept(): Promise<Held | undefined> {
    const askedAtMs = monotonicMs();
    const loaded = await keeper.load();
    const heardAtMs = monotonicMs();
    const kept = loaded.filter(
      (each) => each.obtainedWith === obtainedWith && !refusedIds.includes(each.id),
    );
    // Where two cannot overlap, the newest has ended all others. What is older than a refused one was
    // probably ended with it, and a payout goes out a second time only once.
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
    // A kept one has served before: when it is refused, it has ended.
    const givenUpAtMs = readyAtMs + (wasKept ? 0 : options.activationGraceMs);
    return { ...given, givenUpAtMs, proven: false };
  }

  /** The one to use now: the next as soon as it is accepted, or when there is no other. */
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
        // One that ended while it was on its way is tried all the same: the operator decides.
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
      // One that never worked is rather not accepted yet; a new one would only begin to warm up again.
      if (!present.proven && nowMs < present.givenUpAtMs) {
        present.readyAtMs = nowMs + ACTIVATION_STEP_MS;
        // Or another process was given one since, which ended this one.
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
 * The times that are left were true at some moment between asking and hearing. Of the two, the one that makes
 * it ready later and end sooner: a payout under a session that is not live yet is in doubt.
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

/** Never the message of an error: it could repeat what was being sent. */
function unexpected(error: unknown): FetchedCredential & { kind: 'failed' } {
  return { kind: 'failed', cause: error instanceof Error ? error.name : 'an unknown error' };
}
