import { setTimeout as waitMs } from 'node:timers/promises';
import type { Queryable, Statement } from '../postgres/database.ts';
import { readApiKey } from './api-key.ts';
import type { AuthenticatedKey, KeyAuthenticator } from './authenticated-key.ts';
import { createKeyLookups, type Lookup, UNCACHED_KEYS } from './key-lookups.ts';
import { type LiveKey, readLiveKeys } from './read-live-keys.ts';
import { UnknownKeys } from './unknown-keys.ts';

/** What the database said this long ago is used as it is. */
const FRESH_MS = 400;
/**
 * Up to this age it is still used, while a newer answer is on its way. The age counts from when the
 * query was sent, so a revoked key is refused in less than the documented second.
 */
const USABLE_MS = 800;
const KEYS_CACHED_MAX = 10_000;
/** "Last used" is for people who tidy up keys: a minute is exact enough. */
const LAST_USED_EVERY_MS = 60_000;

/** Which version of all keys and books was in force when the database was asked. */
type Look = Readonly<{ version: number; askedAtMs: number }>;

type KnownKey = Look & {
  readonly key: AuthenticatedKey;
  readonly expiresAtMs: number;
  noteUseAtMs: number;
};
type Asking<Answer> = Readonly<{ startedMs: number; answer: Promise<Answer> }>;

export type AuthenticatorDeps = Readonly<{
  /** The name of the cell whose keys these are, and a handle of it. */
  cell: string;
  database: Queryable;
  /** Where the last use of a key is noted. */
  directory: Queryable;
  now: () => Date;
  monotonicMs: () => number;
  /** Told of failures in the background, which fail no request. */
  onError: (error: unknown) => void;
  keysCachedMax?: number;
  wait?: (ms: number) => Promise<void>;
}>;

/**
 * Knows the keys in use, so that a request with one of them asks the database nothing. Instead of
 * reading every key again and again it asks for one number, which grows when a key or a book changes,
 * and only then reads a key anew. So a thousand keys in use cost as much as one.
 */
export function createKeyAuthenticator(deps: AuthenticatorDeps): KeyAuthenticator {
  const keysCachedMax = deps.keysCachedMax ?? KEYS_CACHED_MAX;
  /**
   * By their text rather than its hash, which would have to be computed for every request. A key that
   * is in use passes through this process's memory anyway; nothing of this is written anywhere.
   */
  const known = new Map<string, KnownKey>();
  const unknown = new UnknownKeys();
  const { lookups, renewals } = openLookups(deps, keysCachedMax);
  let looking: Asking<void> | undefined;
  let latest: Look = NEVER;
  /** The last look at the version before: keys read then may be used until they are read anew. */
  let before: Look = NEVER;

  function note(look: Look): void {
    if (look.askedAtMs <= latest.askedAtMs) return;
    if (look.version !== latest.version) before = latest;
    latest = look;
  }

  /** The latest time at which the cached key was certainly right. */
  function rightAtMs({ version, askedAtMs }: KnownKey): number {
    if (version >= latest.version) return Math.max(askedAtMs, latest.askedAtMs);
    if (version >= before.version) return Math.max(askedAtMs, before.askedAtMs);
    return askedAtMs;
  }

  /** Joins a look that is under way unless it is too old to be believed: then it looks anew. */
  function look(nowMs: number): Promise<void> {
    if (looking !== undefined && nowMs - looking.startedMs <= FRESH_MS) return looking.answer;
    const answer = readVersion(deps.database)
      .then((version) => note({ version, askedAtMs: nowMs }))
      .finally(() => {
        if (looking?.answer === answer) looking = undefined;
      });
    looking = { startedMs: nowMs, answer };
    return answer;
  }

  function remember(text: string, { found, askedAtMs }: Lookup<LiveKey>): KnownKey | undefined {
    const cached = known.get(text);
    if (found === undefined) {
      if (cached === undefined || cached.askedAtMs <= askedAtMs) known.delete(text);
      unknown.add(text, askedAtMs);
      return undefined;
    }
    note({ version: found.accessVersion, askedAtMs });
    const unusedMs = deps.now().getTime() - found.lastUsedAtMs;
    const noteUseAtMs = deps.monotonicMs() + LAST_USED_EVERY_MS - unusedMs;
    const fresh: KnownKey = {
      key: found.key,
      version: found.accessVersion,
      askedAtMs,
      expiresAtMs: found.expiresAtMs,
      noteUseAtMs: Math.max(noteUseAtMs, cached?.noteUseAtMs ?? 0),
    };
    if (cached !== undefined && cached.askedAtMs >= askedAtMs) return cached;
    known.delete(text);
    known.set(text, fresh);
    if (known.size > keysCachedMax) known.delete(known.keys().next().value ?? text);
    return fresh;
  }

  /** Looks whether anything has changed; only if so, or if something has before, reads the key anew. */
  async function renew(text: string, nowMs: number): Promise<KnownKey | undefined> {
    if ((known.get(text)?.version ?? 0) >= latest.version) await look(nowMs);
    const cached = known.get(text);
    if (cached !== undefined && nowMs - rightAtMs(cached) <= FRESH_MS) return cached;
    const hash = readApiKey(text)?.hash ?? '';
    return remember(text, await renewals.find(hash, RENEWALS_OWNER));
  }

  /** A key that is not cached, from this network. */
  function lookUp(text: string, from: string): undefined | Promise<AuthenticatedKey | undefined> {
    if (unknown.has(text, deps.monotonicMs())) return undefined;
    const hash = readApiKey(text)?.hash;
    if (hash === undefined) return undefined;
    return lookups.find(hash, from).then((lookup) => use(text, remember(text, lookup)));
  }

  function use(text: string, found: KnownKey | undefined): AuthenticatedKey | undefined {
    if (found === undefined) return undefined;
    const { key, expiresAtMs } = found;
    const mayExpire = expiresAtMs !== Number.POSITIVE_INFINITY;
    if (mayExpire && expiresAtMs <= deps.now().getTime()) return undefined;
    const nowMs = deps.monotonicMs();
    if (nowMs < found.noteUseAtMs) return key;
    found.noteUseAtMs = nowMs + LAST_USED_EVERY_MS;
    // Taken out and put in again at the end, so that the first in the map is the longest unused.
    if (known.get(text) === found && known.delete(text)) known.set(text, found);
    noteUse(deps.directory, { key, at: deps.now() }).catch(deps.onError);
    return key;
  }

  return {
    authenticate(text, from) {
      const nowMs = deps.monotonicMs();
      const cached = known.get(text);
      if (cached === undefined) return lookUp(text, from);
      const ageMs = nowMs - rightAtMs(cached);
      if (ageMs > USABLE_MS) return renew(text, nowMs).then((found) => use(text, found));
      if (ageMs > FRESH_MS) renew(text, nowMs).catch(deps.onError);
      return use(text, cached);
    },
  };
}

const NEVER: Look = { version: 0, askedAtMs: Number.NEGATIVE_INFINITY };

/** Keys in use have a queue of their own: keys that are not cached cannot delay them. */
const RENEWALS_OWNER = 'renewals';

function openLookups(deps: AuthenticatorDeps, keysCachedMax: number) {
  const { cell: name, database, monotonicMs, wait } = deps;
  const lookupDeps = {
    read: (hashes: readonly string[]) => readLiveKeys({ name, database }, hashes),
    monotonicMs,
    wait: wait ?? ((ms: number) => waitMs(ms)),
  };
  const lookups = createKeyLookups(lookupDeps, { freshMs: FRESH_MS, ...UNCACHED_KEYS });
  // Every key in use waits here once at most, so none is ever refused.
  const renewals = createKeyLookups(lookupDeps, {
    freshMs: FRESH_MS,
    pauseMs: 0,
    waitingMax: 2 * keysCachedMax,
    waitingPerOwnerMax: 2 * keysCachedMax,
  });
  return { lookups, renewals };
}

async function readVersion(database: Queryable): Promise<number> {
  const [row] = await database.query<{ version: number }>(READ_VERSION);
  if (row === undefined) throw new Error('the database has lost its access version');
  return row.version;
}

async function noteUse(
  database: Queryable,
  { key, at }: Readonly<{ key: AuthenticatedKey; at: Date }>,
): Promise<void> {
  await database.query(NOTE_USE, [key.book.id, key.id, at, LAST_USED_EVERY_MS]);
}

const READ_VERSION: Statement = {
  name: 'read-access-version',
  // Of the books of the cell and of the keys in the directory.
  text: `
    select (v.version + d.version)::double precision as version
    from access_version v
    cross join directory.access_version d`,
};

// Other processes note it too: the last condition keeps it at one write a minute for all of them.
const NOTE_USE: Statement = {
  name: 'note-key-use',
  text: `
    update api_keys
    set last_used_at = $3
    where book_id = $1 and id = $2
      and (last_used_at is null or last_used_at <= $3::timestamptz - $4::integer * interval '1 ms')`,
};
