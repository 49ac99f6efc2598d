import type { Mode } from '../domain/transfer.ts';
import type { Queryable, Statement } from '../postgres/database.ts';
import { readApiKey } from './api-key.ts';
import type { AuthenticatedKey, KeyAuthenticator, Scope } from './authenticated-key.ts';

/** What was read from the database this long ago is used as it is. */
const FRESH_MS = 400;
/**
 * Up to this age it is still used, while a newer reading is on its way. The age counts from when the
 * query was started, so a revoked key is refused after less than the promised second.
 */
const USABLE_MS = 800;
const KEYS_CACHED_MAX = 10_000;
/** "Last used" is for people who tidy up keys: a minute is exact enough. */
const LAST_USED_EVERY_MS = 60_000;

type KnownKey = {
  readonly key: AuthenticatedKey;
  readonly askedAtMs: number;
  readonly expiresAtMs: number;
  lastUsedAtMs: number;
};
type Asking = Readonly<{ startedMs: number; answer: Promise<KnownKey | undefined> }>;

export type AuthenticatorDeps = Readonly<{
  database: Queryable;
  now: () => Date;
  monotonicMs: () => number;
  /** Told of failures in the background, which fail no request. */
  onError: (error: unknown) => void;
  keysCachedMax?: number;
}>;

/** Knows the keys in use, so that a request with one of them asks the database nothing. */
export function createKeyAuthenticator(deps: AuthenticatorDeps): KeyAuthenticator {
  const keysCachedMax = deps.keysCachedMax ?? KEYS_CACHED_MAX;
  const known = new Map<string, KnownKey>();
  const asking = new Map<string, Asking>();

  async function ask(hash: string, startedMs: number): Promise<KnownKey | undefined> {
    const found = await findKey(deps.database, { hash, askedAtMs: startedMs });
    const before = known.get(hash);
    if (before !== undefined && before.askedAtMs > startedMs) return found;
    // Taken out and put in again at the end, so that the first in the map is the longest unused.
    known.delete(hash);
    if (found === undefined) return undefined;
    found.lastUsedAtMs = Math.max(found.lastUsedAtMs, before?.lastUsedAtMs ?? 0);
    known.set(hash, found);
    if (known.size > keysCachedMax) known.delete(known.keys().next().value ?? hash);
    return found;
  }

  /** Joins a question that is under way unless it is too old to be believed: then it asks anew. */
  function joinOrAsk(hash: string, nowMs: number): Promise<KnownKey | undefined> {
    const underWay = asking.get(hash);
    if (underWay !== undefined && nowMs - underWay.startedMs <= FRESH_MS) return underWay.answer;
    const answer = ask(hash, nowMs).finally(() => {
      if (asking.get(hash)?.answer === answer) asking.delete(hash);
    });
    asking.set(hash, { startedMs: nowMs, answer });
    return answer;
  }

  function use(found: KnownKey | undefined): AuthenticatedKey | undefined {
    if (found === undefined) return undefined;
    const now = deps.now();
    if (found.expiresAtMs <= now.getTime()) return undefined;
    if (now.getTime() - found.lastUsedAtMs >= LAST_USED_EVERY_MS) {
      found.lastUsedAtMs = now.getTime();
      noteUse(deps.database, { key: found.key, at: now }).catch(deps.onError);
    }
    return found.key;
  }

  return {
    authenticate(text) {
      const hash = readApiKey(text)?.hash;
      if (hash === undefined) return undefined;
      const nowMs = deps.monotonicMs();
      const cached = known.get(hash);
      const ageMs = cached === undefined ? Number.POSITIVE_INFINITY : nowMs - cached.askedAtMs;
      if (ageMs > USABLE_MS) return joinOrAsk(hash, nowMs).then(use);
      if (ageMs > FRESH_MS) joinOrAsk(hash, nowMs).catch(deps.onError);
      return use(cached);
    },
  };
}

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
};

async function findKey(
  database: Queryable,
  { hash, askedAtMs }: Readonly<{ hash: string; askedAtMs: number }>,
): Promise<KnownKey | undefined> {
  const [row] = await database.query<KeyRow>(FIND, [hash]);
  if (row === undefined) return undefined;
  const feeTerms = { fixedMinor: row.fee_fixed_minor, basisPoints: row.fee_basis_points };
  return {
    key: {
      id: row.id,
      book: { id: row.book_id, merchantId: row.merchant_id, mode: row.mode, feeTerms },
      scopes: row.scopes,
      addresses: row.addresses,
    },
    askedAtMs,
    expiresAtMs: row.expires_at?.getTime() ?? Number.POSITIVE_INFINITY,
    lastUsedAtMs: row.last_used_at?.getTime() ?? 0,
  };
}

async function noteUse(
  database: Queryable,
  { key, at }: Readonly<{ key: AuthenticatedKey; at: Date }>,
): Promise<void> {
  await database.query(NOTE_USE, [key.book.id, key.id, at, LAST_USED_EVERY_MS]);
}

const FIND: Statement = {
  name: 'find-key',
  text: `
    select k.id, k.book_id, b.merchant_id, b.mode, b.fee_fixed_minor, b.fee_basis_points, k.scopes,
           k.addresses::text[] as addresses, k.expires_at, k.last_used_at
    from api_keys k
    join books b on b.id = k.book_id
    where k.hash = decode($1, 'hex') and k.revoked_at is null`,
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
