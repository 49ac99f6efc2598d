import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import {
  type CredentialAnswer,
  type CredentialCache,
  type CredentialCacheOptions,
  createCredentialCache,
  type FetchedCredential,
} from './credential-cache.ts';
import type { CredentialStore, KeptCredential } from './credential-store.ts';

type Shelf = CredentialStore & Readonly<{ all(): readonly string[] }>;

/** Keeps in memory what the database would, with one clock for all processes. */
function createShelf(clock: { nowMs: number }): Shelf {
  const kept = new Map<string, KeptCredential & { keptAtMs: number }>();
  return {
    async load() {
      return [...kept.values()]
        .map(({ keptAtMs, ...each }) => {
          const agedMs = clock.nowMs - keptAtMs;
          return {
            ...each,
            readyInMs: each.readyInMs - agedMs,
            refreshInMs: each.refreshInMs - agedMs,
            expiresInMs: each.expiresInMs - agedMs,
          };
        })
        .filter(({ expiresInMs }) => expiresInMs > 0)
        .sort((a, b) => b.expiresInMs - a.expiresInMs);
    },
    async keep(credential) {
      kept.set(credential.id, { ...credential, keptAtMs: clock.nowMs });
    },
    async remove(id) {
      kept.delete(id);
    },
    all: () => [...kept.values()].map(({ value }) => value),
  };
}

/** A statement takes a moment, so a stored credential seems to expire a moment later. */
function lateKeeper(shelf: Shelf): CredentialStore {
  return {
    ...shelf,
    keep: ({ refreshInMs, expiresInMs, ...rest }) =>
      shelf.keep({ ...rest, refreshInMs: refreshInMs + 10, expiresInMs: expiresInMs + 10 }),
  };
}

type Answer = FetchedCredential | Error;

/** An operator that issues what the test says, to any number of processes. */
function createOperator(answers: readonly Answer[]) {
  const clock = { nowMs: 1_000 };
  const shelf = createShelf(clock);
  let fetches = 0;
  const start = (changes: Partial<CredentialCacheOptions> = {}): CredentialCache =>
    createCredentialCache({
      async fetch() {
        const answer = answers[fetches];
        fetches += 1;
        if (answer === undefined || answer instanceof Error) throw answer ?? new Error('no more');
        return answer;
      },
      keeper: shelf,
      obtainedWith: ['user', 'key'],
      activationMs: 0,
      activationGraceMs: 0,
      overlap: true,
      monotonicMs: () => clock.nowMs,
      newUuid: randomUUID,
      ...changes,
    });
  return { clock, shelf, start, fetches: () => fetches };
}

const given = (value: string): FetchedCredential => ({
  kind: 'fetched',
  value,
  freshForMs: 100_000,
  usableForMs: 150_000,
});
const FAILED: FetchedCredential = { kind: 'failed', cause: 'down' };
const settled = () => new Promise((resolve) => setImmediate(resolve));
const ready = (value: string): CredentialAnswer => ({ kind: 'ready', value });
const valueOf = (answer: CredentialAnswer) => (answer.kind === 'ready' ? answer.value : answer);

describe('a credential', () => {
  it('is fetched once for all concurrent callers, also if the fetch fails', async () => {
    const { start, fetches } = createOperator([FAILED, given('a')]);
    const cache = start();
    const failed = await Promise.all(Array.from({ length: 50 }, () => cache.take()));
    assert.ok(failed.every((answer) => answer === FAILED));
    assert.equal(fetches(), 1);
    const taken = await Promise.all(Array.from({ length: 50 }, () => cache.take()));
    assert.deepEqual(new Set(taken.map(valueOf)), new Set(['a']));
    assert.equal(fetches(), 2);
  });

  it('is refreshed in the background while it is usable, and used until its expiry', async () => {
    const { clock, start, fetches } = createOperator([given('a'), given('b')]);
    const cache = start();
    await cache.take();
    clock.nowMs += 99_999;
    assert.deepEqual(await cache.take(), ready('a'));
    assert.equal(fetches(), 1);
    clock.nowMs += 1;
    assert.deepEqual(await cache.take(), ready('a'));
    await settled();
    assert.deepEqual(await cache.take(), ready('b'));
    assert.equal(fetches(), 2);
  });

  it('stays in use while refreshes fail and are retried after a pause, but not past its expiry', async () => {
    const answers = [given('a'), FAILED, FAILED, new TypeError('odd'), given('b')];
    const { clock, start, fetches } = createOperator(answers);
    const cache = start();
    await cache.take();
    clock.nowMs += 120_000;
    for (let count = 0; count < 10; count += 1) {
      assert.deepEqual(await cache.take(), ready('a'));
      await settled();
    }
    assert.equal(fetches(), 2);
    clock.nowMs += 5_000;
    assert.deepEqual(await cache.take(), ready('a'));
    await settled();
    assert.equal(fetches(), 3);
    clock.nowMs += 25_000;
    assert.deepEqual(await cache.take(), { kind: 'failed', cause: 'TypeError' });
    assert.deepEqual(await cache.take(), ready('b'));
  });

  it('is forgotten once when it is refused, and its successor is not', async () => {
    const { start, fetches, shelf } = createOperator([given('a'), given('b')]);
    const cache = start();
    await cache.take();
    cache.refused('a');
    cache.refused('a');
    assert.deepEqual(await Promise.all([cache.take(), cache.take()]), [ready('b'), ready('b')]);
    cache.refused('a');
    assert.deepEqual(await cache.take(), ready('b'));
    assert.equal(fetches(), 2);
    assert.deepEqual(shelf.all(), ['b']);
    assert.deepEqual(cache.secrets(), ['b', 'a']);
  });

  it('that expires while it is fetched serves the callers that waited for it, and no later ones', async () => {
    const ended = { ...given('a'), freshForMs: 0, usableForMs: 0 };
    const { start, fetches } = createOperator([ended, given('b')]);
    const cache = start();
    assert.deepEqual(await Promise.all([cache.take(), cache.take()]), [ready('a'), ready('a')]);
    assert.deepEqual(await cache.take(), ready('b'));
    assert.equal(fetches(), 2);
  });
});

describe('a credential that must warm up', () => {
  const WARMS = { activationMs: 30_000, activationGraceMs: 60_000 };

  it('is not used before, and stays in use while its successor warms up', async () => {
    const { clock, start } = createOperator([given('a'), given('b')]);
    const cache = start(WARMS);
    const first = await cache.take();
    assert.ok(first.kind === 'warming' && first.readyInMs === 30_000);
    clock.nowMs += 100_000;
    await cache.take();
    await settled();
    clock.nowMs += 29_999;
    assert.deepEqual(await cache.take(), ready('a'));
    clock.nowMs += 1;
    assert.deepEqual(await cache.take(), ready('b'));
  });

  it('and never worked is treated as not accepted yet, for a while', async () => {
    const { clock, start, fetches } = createOperator([given('a'), given('b')]);
    const cache = start(WARMS);
    await cache.take();
    clock.nowMs += 30_000;
    cache.refused('a');
    const again = await cache.take();
    assert.ok(again.kind === 'warming' && again.readyInMs === 2_000);
    clock.nowMs += 60_000;
    cache.refused('a');
    assert.equal((await cache.take()).kind, 'warming');
    assert.equal(fetches(), 2);
  });

  it('and worked before is dropped as soon as it is refused', async () => {
    const { clock, start, fetches } = createOperator([given('a'), given('b')]);
    const cache = start(WARMS);
    await cache.take();
    clock.nowMs += 30_000;
    cache.accepted('a');
    cache.refused('other');
    assert.deepEqual(await cache.take(), ready('a'));
    cache.refused('a');
    assert.equal((await cache.take()).kind, 'warming');
    assert.equal(fetches(), 2);
  });

  it('and is refused is replaced by a newer one of another process, which ended it', async () => {
    const { clock, start, shelf, fetches } = createOperator([given('a'), given('b')]);
    const alone = { ...WARMS, overlap: false };
    const one = start(alone);
    await one.take();
    clock.nowMs += 10_000;
    // This process does not see the stored credentials, as if both started at once.
    await start({ ...alone, keeper: { ...shelf, load: async () => [] } }).take();
    clock.nowMs += 20_000;
    assert.equal(valueOf(await one.take()), 'a');
    one.refused('a');
    await settled();
    clock.nowMs += 10_000;
    assert.equal(valueOf(await one.take()), 'b');
    assert.equal(fetches(), 2);
  });
});

describe('a stored credential', () => {
  it('is used after a restart, for the rest of its lifetime', async () => {
    const { clock, start, fetches } = createOperator([given('a'), given('b')]);
    await start().take();
    clock.nowMs += 149_999;
    const restarted = start();
    assert.equal(valueOf(await restarted.take()), 'a');
    assert.deepEqual(restarted.secrets(), ['a']);
    assert.equal(fetches(), 1);
    clock.nowMs += 1;
    assert.equal(valueOf(await start().take()), 'b');
  });

  it('is marked untried until the operator has accepted it', async () => {
    const { start } = createOperator([given('a')]);
    await start().take();
    const restarted = start();
    assert.deepEqual(await restarted.take(), { ...ready('a'), untried: true });
    restarted.accepted('a');
    assert.deepEqual(await restarted.take(), ready('a'));
  });

  it('that warms up continues after a restart instead of starting again', async () => {
    const { clock, start, fetches } = createOperator([given('a')]);
    const warms = { activationMs: 30_000, activationGraceMs: 60_000 };
    await start(warms).take();
    clock.nowMs += 20_000;
    const restarted = start(warms);
    const taken = await restarted.take();
    assert.ok(taken.kind === 'warming' && taken.readyInMs === 10_000);
    clock.nowMs += 10_000;
    assert.equal(valueOf(await restarted.take()), 'a');
    assert.equal(fetches(), 1);
  });

  it('is not used too early if loading takes a while', async () => {
    const { clock, shelf, start } = createOperator([given('a')]);
    const warms = { activationMs: 1_000, activationGraceMs: 5_000 };
    await start(warms).take();
    const slow: CredentialStore = {
      ...shelf,
      async load() {
        clock.nowMs += 200;
        return shelf.load();
      },
    };
    const restarted = start({ ...warms, keeper: slow });
    await restarted.take();
    clock.nowMs += 799;
    assert.equal((await restarted.take()).kind, 'warming');
    clock.nowMs += 1;
    assert.equal(valueOf(await restarted.take()), 'a');
  });

  it('is used after a restart while its successor warms up', async () => {
    const { clock, start, fetches } = createOperator([given('a'), given('b')]);
    const warms = { activationMs: 30_000, activationGraceMs: 60_000 };
    const before = start(warms);
    await before.take();
    clock.nowMs += 100_000;
    await before.take();
    await settled();
    const restarted = start(warms);
    assert.equal(valueOf(await restarted.take()), 'a');
    clock.nowMs += 30_000;
    assert.equal(valueOf(await restarted.take()), 'b');
    assert.equal(fetches(), 2);
  });

  it('is shared by processes, also when it is refreshed and when it is refused', async () => {
    const answers = [given('a'), given('b'), given('c')];
    const { clock, start, fetches } = createOperator(answers);
    const [one, other] = [start(), start()];
    await one.take();
    assert.equal(valueOf(await other.take()), 'a');
    clock.nowMs += 100_000;
    await one.take();
    await settled();
    assert.equal(valueOf(await other.take()), 'a');
    await settled();
    assert.equal(valueOf(await other.take()), 'b');
    assert.equal(fetches(), 2);
    assert.equal(valueOf(await one.take()), 'b');
    clock.nowMs += 1;
    one.refused('b');
    assert.equal(valueOf(await one.take()), 'c');
    other.refused('b');
    assert.equal(valueOf(await other.take()), 'c');
    assert.equal(fetches(), 3);
  });

  it('is not mistaken for its own successor although the clock of its store is late', async () => {
    const { clock, start, shelf, fetches } = createOperator([given('a'), given('b')]);
    const cache = start({ keeper: lateKeeper(shelf) });
    await cache.take();
    clock.nowMs += 100_000;
    await cache.take();
    await settled();
    assert.equal(valueOf(await cache.take()), 'b');
    assert.equal(fetches(), 2);
  });

  it('that was refused is not used again, even if it could not be removed', async () => {
    const { start, shelf, fetches } = createOperator([given('a'), given('b')]);
    const cache = start({ keeper: { ...lateKeeper(shelf), remove: async () => undefined } });
    await cache.take();
    cache.refused('a');
    assert.equal(valueOf(await cache.take()), 'b');
    assert.equal(fetches(), 2);
  });

  it('is not used if it was obtained with another key', async () => {
    const { start, fetches } = createOperator([given('a'), given('b')]);
    await start().take();
    assert.deepEqual(await start({ obtainedWith: ['user', 'other key'] }).take(), ready('b'));
    assert.equal(fetches(), 2);
  });

  it('is only the newest if a new one ends the old one', async () => {
    const { clock, start, shelf } = createOperator([given('a'), given('b')]);
    const alone = { activationMs: 30_000, activationGraceMs: 60_000, overlap: false };
    await start(alone).take();
    clock.nowMs += 40_000;
    await start({ ...alone, keeper: { ...shelf, load: async () => [] } }).take();
    assert.deepEqual(shelf.all(), ['a', 'b']);
    const taken = await start(alone).take();
    assert.ok(taken.kind === 'warming' && taken.readyInMs === 30_000);
  });
});
