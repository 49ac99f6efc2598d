import { setTimeout as waitMs } from 'node:timers/promises';
import { refuseCell } from '../cells/cell.ts';
import type { Queryable } from '../postgres/database.ts';
import { readApiKey } from './api-key.ts';
import type { AuthenticatedKey, KeyAuthenticator } from './authenticated-key.ts';
import { createKeyLookups, type Lookup, UNCACHED_KEYS } from './key-lookups.ts';
import { readKeyPlaces } from './read-key-places.ts';
import { UnknownKeys } from './unknown-keys.ts';

const PLACES_CACHED_MAX = 10_000;
/** As in authenticate-key.ts. */
const FRESH_MS = 400;
/**
 * The copy of the directory on another server has a new key within a fraction of a second, and a cell asks again for one
 * that it did not find after half a second. So a key that was issued a moment ago is found at the second or third try.
 */
const TRIES_MAX = 3;
const RETRY_MS = 600;

type PlacedDeps = Readonly<{
  directory: Queryable;
  monotonicMs: () => number;
  /** The only cell; undefined: there are several. */
  alone: () => Readonly<{ name: string; authenticator: KeyAuthenticator }> | undefined;
  /** Throws CELL_UNAVAILABLE for a cell that cannot be reached. */
  authenticatorOf: (cell: string) => KeyAuthenticator;
  wait?: (ms: number) => Promise<void>;
}>;

type Found = ReturnType<KeyAuthenticator['authenticate']>;

/**
 * Authenticates each key in its cell. Where there are several, the directory is read once to find the cell, and again
 * when that cell does not have the key: it may be revoked, or its merchant was moved. A key that the directory has and
 * its cell does not have yet is not reported as unknown but as CELL_UNAVAILABLE. The same holds for a key whose cell was
 * added a moment ago, while this process still has one cell only.
 */
export function createPlacedAuthenticator(deps: PlacedDeps): KeyAuthenticator {
  /** By the text of the key, as in authenticate-key.ts. The first is the one that was looked up longest ago. */
  const places = new Map<string, string>();
  const unknown = new UnknownKeys();
  const wait = deps.wait ?? ((ms: number) => waitMs(ms));
  const lookups = createKeyLookups<string>(
    {
      read: (hashes) => readKeyPlaces(deps.directory, hashes),
      monotonicMs: deps.monotonicMs,
      wait,
    },
    { freshMs: FRESH_MS, ...UNCACHED_KEYS },
  );

  function remember(text: string, cell: string): void {
    places.delete(text);
    places.set(text, cell);
    if (places.size > PLACES_CACHED_MAX) places.delete(places.keys().next().value ?? text);
  }

  /** `before`: the cell that does not have the key. */
  function lookUp(text: string, from: string, before?: string): Found {
    if (unknown.has(text, deps.monotonicMs())) return undefined;
    const hash = readApiKey(text)?.hash;
    if (hash === undefined) return undefined;
    return lookups.find(hash, from).then((lookup) => use(text, from, { ...lookup, before }));
  }

  function use(
    text: string,
    from: string,
    { found: cell, askedAtMs, before }: Lookup<string> & Readonly<{ before: string | undefined }>,
  ): Found {
    if (cell === undefined) {
      unknown.add(text, askedAtMs);
      places.delete(text);
      return undefined;
    }
    remember(text, cell);
    return findThere(text, { from, cell, tries: cell === before ? 1 : 0 });
  }

  /** The directory has the key, so its cell will too. */
  async function findThere(
    text: string,
    { from, cell, tries }: Readonly<{ from: string; cell: string; tries: number }>,
  ): Promise<AuthenticatedKey> {
    if (tries > 0) await wait(RETRY_MS);
    const found = await deps.authenticatorOf(cell).authenticate(text, from);
    if (found !== undefined) return found;
    if (tries + 1 >= TRIES_MAX) throw refuseCell();
    return findThere(text, { from, cell, tries: tries + 1 });
  }

  /** Asks the directory about a key that this cell does not have. */
  function orElsewhere(
    found: Found,
    { text, from, cell }: Readonly<{ text: string; from: string; cell: string }>,
  ): Found {
    if (found === undefined) return lookUp(text, from, cell);
    if (!(found instanceof Promise)) return found;
    return found.then((key) => key ?? lookUp(text, from, cell));
  }

  return {
    authenticate(text, from): Found {
      const alone = deps.alone();
      if (alone !== undefined) {
        const found = alone.authenticator.authenticate(text, from);
        return orElsewhere(found, { text, from, cell: alone.name });
      }
      const cell = places.get(text);
      if (cell === undefined) return lookUp(text, from);
      const found = deps.authenticatorOf(cell).authenticate(text, from);
      return orElsewhere(found, { text, from, cell });
    },
  };
}
