import type { Mode } from '../domain/transfer.ts';
import type { Queryable, Statement } from '../postgres/database.ts';
import { readApiKey } from './api-key.ts';
import type { AuthenticatedKey, KeyAuthenticator, Scope } from './authenticated-key.ts';

/** What the database said this long ago is used as it is. */
const FRESH_MS = 400;
/**
 * Up to this age it is still used, while a newer answer is on its way. The age counts from when the
 * question was asked, so a revoked key is refused after less than the promised second.
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
  database: Queryable;
  now: () => Date;
  monotonicMs: () => number;
  /** Told of failures in the background, which fail no request. */
  onError: (error: unknown) => void;
  keysCachedMax?: number;
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
  const reading = new Map<string, Asking<KnownKey | undefined>>();
  let looking: Asking<void> | undefined;
  let latest: Look = NEVER;
  /** The last look at the version before: keys read then may be used until they are read anew. */
  let before: Look = NEVER;

  function note(look: Look): void {
    if (look.askedAtMs <= latest.askedAtMs) return;
    if (look.version !== latest.version) before = latest;
    latest = look;
  }

  /** The latest time at which what is known of the key was certainly right. */
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

  async function read(text: string, startedMs: number): Promise<KnownKey | undefined> {
    const hash = readApiKey(text)?.hash;
    const found = hash === undefined ? undefined : await findKey(deps, { hash, startedMs });
    if (found !== undefined) note(found);
    const cached = known.get(text);
    if (cached !== undefined && cached.askedAtMs > startedMs) return found;
    known.delete(text);
    if (found === undefined) return undefined;
    found.noteUseAtMs = Math.max(found.noteUseAtMs, cached?.noteUseAtMs ?? 0);
    known.set(text, found);
    if (known.size > keysCachedMax) known.delete(known.keys().next().value ?? text);
    return found;
  }

  /** The same for one key. */
  function joinOrRead(text: string, nowMs: number): Promise<KnownKey | undefined> {
    const underWay = reading.get(text);
    if (underWay !== undefined && nowMs - underWay.startedMs <= FRESH_MS) return underWay.answer;
    const answer = read(text, nowMs).finally(() => {
      if (reading.get(text)?.answer === answer) reading.delete(text);
    });
    reading.set(text, { startedMs: nowMs, answer });
    return answer;
  }

  /** Looks whether anything has changed; only if so, or if something has before, reads the key anew. */
  async function renew(text: string, nowMs: number): Promise<KnownKey | undefined> {
    if ((known.get(text)?.version ?? 0) >= latest.version) await look(nowMs);
    const cached = known.get(text);
    if (cached !== undefined && nowMs - rightAtMs(cached) <= FRESH_MS) return cached;
    return joinOrRead(text, nowMs);
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
    noteUse(deps.database, { key, at: deps.now() }).catch(deps.onError);
    return key;
  }

  return {
    authenticate(text) {
      const nowMs = deps.monotonicMs();
      const cached = known.get(text);
      if (cached === undefined) {
        if (readApiKey(text) === undefined) return undefined;
        return joinOrRead(text, nowMs).then((found) => use(text, found));
      }
      const ageMs = nowMs - rightAtMs(cached);
      if (ageMs > USABLE_MS) return renew(text, nowMs).then((found) => use(text, found));
      if (ageMs > FRESH_MS) renew(text, nowMs).catch(deps.onError);
      return use(text, cached);
    },
  };
}

const NEVER: Look = { version: 0, askedAtMs: Number.NEGATIVE_INFINITY };

type KeyRow = {
  id: string;
  book_id: string;
  merchant_id: string;
  mode: Mode;
  fee_fixed_minor: bigint;
  fee_basis_points: number;
  scopes: Scope[];
  addresses: string[];
  expires_at: Date | null;
  last_used_at: Date | null;
  access_version: number;
};

async function findKey(
  { database, now, monotonicMs }: AuthenticatorDeps,
  { hash, startedMs }: Readonly<{ hash: string; startedMs: number }>,
): Promise<KnownKey | undefined> {
  const [row] = await database.query<KeyRow>(FIND, [hash]);
  if (row === undefined) return undefined;
  const feeTerms = { fixedMinor: row.fee_fixed_minor, basisPoints: row.fee_basis_points };
  const unusedMs = now().getTime() - (row.last_used_at?.getTime() ?? 0);
  return {
    key: {
      id: row.id,
      book: { id: row.book_id, merchantId: row.merchant_id, mode: row.mode, feeTerms },
      scopes: row.scopes,
      addresses: row.addresses,
    },
    version: row.access_version,
    askedAtMs: startedMs,
    expiresAtMs: row.expires_at?.getTime() ?? Number.POSITIVE_INFINITY,
    noteUseAtMs: monotonicMs() + LAST_USED_EVERY_MS - unusedMs,
  };
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

// The version is of the same snapshot as the key: whatever changes the key later raises it.
const FIND: Statement = {
  name: 'find-key',
  text: `
    select k.id, k.book_id, b.merchant_id, b.mode, b.fee_fixed_minor, b.fee_basis_points, k.scopes,
           k.addresses::text[] as addresses, k.expires_at, k.last_used_at,
           v.version::double precision as access_version
    from api_keys k
    join books b on b.id = k.book_id
    cross join access_version v
    where k.hash = decode($1, 'hex') and k.revoked_at is null`,
};

const READ_VERSION: Statement = {
  name: 'read-access-version',
  text: 'select version::double precision as version from access_version',
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
