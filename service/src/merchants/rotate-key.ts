import { actAs } from '../acts/act-as.ts';
import { recordAct } from '../acts/record-act.ts';
import type { Actor } from '../domain/actor.ts';
import { AdminRefused } from '../domain/admin-refused.ts';
import type { Database, Queryable, Statement } from '../postgres/database.ts';
import { findKey, type StoredKey, standingOf } from './find-key.ts';
import { type IssuedKey, issueKeyIn, type KeyDeps, keyFacts, keyMakerOf } from './issue-key.ts';
import { revoke } from './revoke-key.ts';

export type Rotated = Readonly<{ issued: IssuedKey; old: StoredKey }>;

/**
 * Issues a key that may do what the old one may, and lets the old one live for the overlap, so that
 * it can be replaced without a gap; an overlap of 0 revokes it at once. The new key lives as long as
 * asked for; when nothing is asked, as long as the old one was to.
 */
export async function rotateKey(
  deps: KeyDeps & Readonly<{ directory: Database }>,
  request: Readonly<{ actor: Actor; id: string; overlapMs: number; lifeMs: number | null }>,
): Promise<Rotated> {
  const { actor } = request;
  return actAs({ database: deps.directory }, actor, async (tx) => {
    const key = await findKey(tx, { id: request.id });
    const now = deps.now();
    refuseEnded(key, now);
    const old = await end(tx, { key, now, overlapMs: request.overlapMs });
    const lifeMs = request.lifeMs ?? lifeOf(key);
    const expiresAt = lifeMs === null ? null : new Date(now.getTime() + lifeMs);
    // The person who made the old key stays a maker of what is ordered. Who rotates it sees the new one, and is another.
    const maker = key.createdBy ?? keyMakerOf(actor);
    const { bookId, mode, name, scopes, addresses } = key;
    const rules = { bookId, mode, name, scopes, addresses, expiresAt };
    const rotatedBy = actor.kind === 'person' ? actor.id : null;
    const issued = await issueKeyIn(tx, deps, rules, { maker, rotatedBy });
    await recordAct(tx, deps, {
      actor,
      kind: 'KEY_ROTATED',
      subject: key.id,
      merchantId: key.merchantId,
      bookId: key.bookId,
      reason: null,
      before: keyFacts(key),
      after: { ...keyFacts(old), newKeyId: issued.id, newHint: issued.hint },
    });
    return { issued, old };
  });
}

function refuseEnded(key: StoredKey, now: Date): void {
  const standing = standingOf(key, now);
  if (standing === 'live') return;
  throw new AdminRefused('KEY_ENDED', { standing });
}

function lifeOf({ createdAt, expiresAt }: StoredKey): number | null {
  return expiresAt === null ? null : expiresAt.getTime() - createdAt.getTime();
}

async function end(
  tx: Queryable,
  { key, now, overlapMs }: Readonly<{ key: StoredKey; now: Date; overlapMs: number }>,
): Promise<StoredKey> {
  if (overlapMs === 0) {
    await revoke(tx, { key, revokedAt: now });
    return { ...key, revokedAt: now };
  }
  const overlapEnds = new Date(now.getTime() + overlapMs);
  const endsBefore = key.expiresAt !== null && key.expiresAt < overlapEnds;
  const expiresAt = endsBefore ? key.expiresAt : overlapEnds;
  await tx.query(EXPIRE, [key.bookId, key.id, expiresAt]);
  return { ...key, expiresAt };
}

const EXPIRE: Statement = {
  name: '',
  text: 'update api_keys set expires_at = $3 where book_id = $1 and id = $2',
};
