import type { ActDeps, ActFacts } from '../acts/act.ts';
import { actAs } from '../acts/act-as.ts';
import { recordAct } from '../acts/record-act.ts';
import type { Actor } from '../domain/actor.ts';
import { AdminRefused } from '../domain/admin-refused.ts';
import type { Mode } from '../domain/transfer.ts';
import { type Database, type Queryable, type Statement, sqlState } from '../postgres/database.ts';
import { createApiKey } from './api-key.ts';
import type { Scope } from './authenticated-key.ts';
import { lockBook } from './lock-book.ts';
import { refusedAddress } from './read-key-rules.ts';

/** A key per system that pays, twice over while they are rotated; more is a sign of keys forgotten. */
export const LIVE_KEYS_MAX = 20;
/** A live key that no owner has confirmed by then is ended. */
const CONFIRM_WITHIN_MS = 24 * 3_600_000;
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
  Readonly<{
    id: string;
    merchantId: string;
    text: string;
    hint: string;
    createdAt: Date;
    /** It does not work before an owner has confirmed it, until then; null: it works at once. */
    confirmUntil: Date | null;
  }>;

/** Who makes a key counts as the maker of what it orders. */
type KeyMaker = Readonly<{
  id: string;
  /** As the merchant knows them; null: one of the staff. */
  name: string | null;
}>;

export type KeyDeps = ActDeps & Readonly<{ randomBytes: (size: number) => Uint8Array }>;

export async function issueKey(
  deps: KeyDeps & Readonly<{ directory: Database }>,
  {
    actor,
    mustBeConfirmed = false,
    ...request
  }: KeyRequest & Readonly<{ actor: Actor; mustBeConfirmed?: boolean }>,
): Promise<IssuedKey> {
  return actAs({ database: deps.directory }, actor, async (tx) => {
    const maker = keyMakerOf(actor);
    const issued = await issueKeyIn(tx, deps, request, { maker, mustBeConfirmed });
    await recordAct(tx, deps, {
      actor,
      kind: 'KEY_ISSUED',
      subject: issued.id,
      merchantId: issued.merchantId,
      bookId: issued.bookId,
      reason: null,
      before: null,
      after: {
        ...keyFacts({ ...issued, revokedAt: null }),
        confirmUntil: issued.confirmUntil?.toISOString() ?? null,
      },
    });
    return issued;
  });
}

export function keyMakerOf(actor: Actor): KeyMaker | null {
  if (actor.kind !== 'person') return null;
  return { id: actor.id, name: actor.merchantId === undefined ? null : actor.name };
}

/** What a key is, for the record of acts. */
export function keyFacts(
  key: Omit<KeyRequest, 'bookId'> & Readonly<{ hint: string; revokedAt: Date | null }>,
): ActFacts {
  const { mode, hint, name, scopes, addresses, expiresAt, revokedAt } = key;
  return {
    mode,
    hint,
    name,
    scopes,
    addresses,
    expiresAt: expiresAt?.toISOString() ?? null,
    revokedAt: revokedAt?.toISOString() ?? null,
  };
}

/** Inside a transaction of the caller's, who records it. */
export async function issueKeyIn(
  tx: Queryable,
  deps: KeyDeps,
  request: KeyRequest,
  {
    maker,
    rotatedBy = null,
    mustBeConfirmed = false,
  }: Readonly<{ maker: KeyMaker | null; rotatedBy?: string | null; mustBeConfirmed?: boolean }>,
): Promise<IssuedKey> {
  const { merchantId } = await lockBook(tx, request.bookId);
  const { text, hash, hint } = createApiKey(request.mode, deps.randomBytes);
  const createdAt = deps.now();
  const confirmUntil = mustBeConfirmed ? new Date(createdAt.getTime() + CONFIRM_WITHIN_MS) : null;
  const issued = {
    ...request,
    id: deps.newId(),
    merchantId,
    text,
    hint,
    createdAt,
    confirmUntil,
  };
  if (await insertKey(tx, { issued, hash, maker, rotatedBy })) return issued;
  throw new AdminRefused('KEYS_TOO_MANY', { max: LIVE_KEYS_MAX });
}

async function insertKey(
  tx: Queryable,
  {
    issued,
    hash,
    maker,
    rotatedBy,
  }: Readonly<{
    issued: IssuedKey;
    hash: string;
    maker: KeyMaker | null;
    rotatedBy: string | null;
  }>,
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
      maker?.id ?? null,
      maker?.name ?? null,
      issued.confirmUntil,
      rotatedBy,
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
      book_id, id, hash, hint, name, scopes, addresses, created_at, expires_at, created_by,
      created_by_name, confirm_until, rotated_by
    )
    select $1::uuid, $2::uuid, decode($3, 'hex'), $4, $5, $6::text[], $7::text[]::cidr[],
           $8::timestamptz, $9::timestamptz, $11::uuid, $12, $13::timestamptz, $14::uuid
    where (
      select count(*) from api_keys
      where book_id = $1 and revoked_at is null and (expires_at is null or expires_at > $8)
        and (confirm_until is null or confirmed_at is not null or confirm_until > $8)
    ) < $10::integer
    returning id`,
};
