import type { KeyObject } from 'node:crypto';
import { textAt } from '../wire/exact-json.ts';
import type { OperatorWire } from '../wire/operator-wire.ts';
import { readPublicKey } from './http-signature.ts';

/** Keys change rarely; fetching hourly finds a new one soon after its first use. */
const KEYS_FRESH_MS = 60 * 60_000;
/** Any client can send a callback with a key id that does not exist: it must not cause a request each time. */
const FETCH_GAP_MS = 60_000;
const KEYS_MAX = 50;

export type CallbackKeys = Readonly<{
  /** Undefined: unknown, or not fetched yet. */
  keyOf(keyId: string): KeyObject | undefined;
  /** Whether there is any key to compare with. */
  any(): boolean;
  /** Fetches the keys unless that was done recently; never fails. */
  refresh(why: 'in time' | 'a key is missing'): Promise<void>;
}>;

export type ConfiguredKeys = readonly Readonly<{ id: string; key: string }>[];

export function createConfiguredKeys(configured: ConfiguredKeys): CallbackKeys {
  const keys = readKeys(configured);
  return {
    keyOf: (keyId) => keys.get(keyId),
    any: () => keys.size > 0,
    refresh: async () => {},
  };
}

/** The keys that pawaPay publishes, fetched once for all callers that miss one. */
export function createFetchedKeys(
  deps: Readonly<{
    wire: OperatorWire;
    headers: Record<string, string>;
    timeoutMs: number;
    timeScale: number;
    monotonicMs: () => number;
  }>,
): CallbackKeys {
  let keys: ReadonlyMap<string, KeyObject> = new Map();
  let fetchedAtMs = Number.NEGATIVE_INFINITY;
  let triedAtMs = Number.NEGATIVE_INFINITY;
  let fetching: Promise<void> | undefined;

  async function fetchKeys(): Promise<void> {
    const { wire, headers, timeoutMs, monotonicMs } = deps;
    triedAtMs = monotonicMs();
    const path = '/v2/public-key/http';
    const answer = await wire.send({ method: 'GET', path, headers, body: null, timeoutMs });
    if (answer.kind !== 'answered' || answer.status !== 200 || !Array.isArray(answer.json)) return;
    const read = readKeys(
      answer.json
        .slice(0, KEYS_MAX)
        .map((row) => ({ id: textAt(row, 'id') ?? '', key: textAt(row, 'key') ?? '' })),
    );
    // An answer without keys does not remove the ones that work.
    if (read.size === 0) return;
    keys = read;
    fetchedAtMs = monotonicMs();
  }

  return {
    keyOf: (keyId) => keys.get(keyId),
    any: () => keys.size > 0,
    async refresh(why) {
      const nowMs = deps.monotonicMs();
      const { timeScale } = deps;
      const isFresh = why === 'in time' && nowMs < fetchedAtMs + KEYS_FRESH_MS * timeScale;
      const isTooSoon = nowMs < triedAtMs + FETCH_GAP_MS * timeScale;
      if (fetching === undefined && (isFresh || isTooSoon)) return;
      fetching ??= fetchKeys().finally(() => {
        fetching = undefined;
      });
      await fetching;
    },
  };
}

function readKeys(rows: ConfiguredKeys): Map<string, KeyObject> {
  const keys = new Map<string, KeyObject>();
  for (const { id, key } of rows) {
    const read = readPublicKey(key);
    if (id !== '' && read !== undefined) keys.set(id, read);
  }
  return keys;
}
