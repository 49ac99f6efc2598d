import { AdminRefused } from '../domain/admin-refused.ts';
import type { Mode } from '../domain/transfer.ts';
import { type Database, type Queryable, type Statement, sqlState } from '../postgres/database.ts';
import { createApiKey } from './api-key.ts';
import type { Scope } from './authenticated-key.ts';
import { lockBook } from './lock-book.ts';
import { refusedAddress } from './read-key-rules.ts';

/** A key per system that pays, twice over while they are rotated; more is a sign of keys forgotten. */
export const LIVE_KEYS_MAX = 20;
const INVALID_TEXT_REPRESENTATION = '22P02';

export type KeyRequest = Readonly<{
  bookId: string;
  mode: Mode;
  name: string;
  scopes: readonly Scope[];
  addresses: readonly string[];
  expiresAt: Date | null;
}>;

/** `text` is the key itself: this is the only time it can be seen. */
export type IssuedKey = KeyRequest &
  Readonly<{ id: string; text: string; hint: string; createdAt: Date }>;

export type KeyDeps = Readonly<{
  now: () => Date;
  newId: () => string;
  randomBytes: (size: number) => Uint8Array;
}>;

export async function issueKey(
  deps: KeyDeps & Readonly<{ database: Database }>,
  request: KeyRequest,
): Promise<IssuedKey> {
  return deps.database.transaction((tx) => issueKeyIn(tx, deps, request));
}

/** The same inside a transaction of the caller's. */
export async function issueKeyIn(
  tx: Queryable,
  deps: KeyDeps,
  request: KeyRequest,
): Promise<IssuedKey> {
  await lockBook(tx, request.bookId);
  const { text, hash, hint } = createApiKey(request.mode, deps.randomBytes);
  const issued = { ...request, id: deps.newId(), text, hint, createdAt: deps.now() };
  if (await insertKey(tx, { issued, hash })) return issued;
  throw new AdminRefused(
    `This book has ${LIVE_KEYS_MAX} live keys, which is the most it may have.`,
    'Revoke one that is no longer used: "keys list" shows when each was last used.',
  );
}

async function insertKey(
  tx: Queryable,
  { issued, hash }: Readonly<{ issued: IssuedKey; hash: string }>,
): Promise<boolean> {
  try {
    const rows = await tx.query(INSERT, [
      issued.bookId,
      issued.id,
      hash,
      issued.hint,
      issued.name,
      issued.scopes,
      issued.addresses,
      issued.createdAt,
      issued.expiresAt,
      LIVE_KEYS_MAX,
    ]);
    return rows.length === 1;
  } catch (error) {
    if (sqlState(error) !== INVALID_TEXT_REPRESENTATION) throw error;
    throw refusedAddress(issued.addresses.join(', '));
  }
}

const INSERT: Statement = {
  name: '',
  text: `
    insert into api_keys (
      book_id, id, hash, hint, name, scopes, addresses, created_at, expires_at
    )
    select $1::uuid, $2::uuid, decode($3, 'hex'), $4, $5, $6::text[], $7::text[]::cidr[],
           $8::timestamptz, $9::timestamptz
    where (
      select count(*) from api_keys
      where book_id = $1 and revoked_at is null and (expires_at is null or expires_at > $8)
    ) < $10::integer
    returning id`,
};
