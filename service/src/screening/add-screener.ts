import type { ActDeps } from '../acts/act.ts';
import { actAs } from '../acts/act-as.ts';
import { recordAct } from '../acts/record-act.ts';
import type { PersonActor } from '../domain/actor.ts';
import { actPlace, bookIdOf, type ControlOwner } from '../domain/control-owner.ts';
import { fieldProblem } from '../domain/field-problem.ts';
import { refuse } from '../domain/refusal.ts';
import type { Database, Queryable, Statement } from '../postgres/database.ts';
import { createSecret } from '../webhooks/endpoint.ts';
import type { Sealer } from '../webhooks/seal-secret.ts';
import { refuseIfScreenerIsUsed } from './refuse-if-screener-is-used.ts';
import { refuseTakenName } from './refuse-taken-name.ts';
import { SCREENERS_MAX, type Screener, screenerFacts, screenerSecretPurpose } from './screener.ts';

export type ScreenerDeps = ActDeps &
  Readonly<{
    database: Database;
    sealer: Sealer;
    randomBytes: (size: number) => Uint8Array;
  }>;

/** The only time that the secret is shown. */
export type ScreenerWithSecret = Readonly<{ screener: Screener; secret: string }>;

/** Adds a screener, which rules may ask from now on. */
export async function addScreener(
  deps: ScreenerDeps,
  request: Readonly<{
    actor: PersonActor;
    owner: ControlOwner;
    name: string;
    url: URL;
    deadlineMs: number;
  }>,
): Promise<ScreenerWithSecret> {
  const { actor, owner, name, url, deadlineMs } = request;
  const screener: Screener = {
    bookId: bookIdOf(owner),
    id: deps.newId(),
    name,
    url: url.href,
    deadlineMs,
    createdBy: { id: actor.id, name: actor.name },
    createdAt: deps.now(),
  };
  const secret = createSecret(deps.randomBytes);
  const sealed = deps.sealer.seal(secret, screenerSecretPurpose(screener));
  await actAs(deps, actor, async (tx) => {
    await refuseTakenName(tx, screener);
    await refuseIfScreenerIsUsed(tx, screener);
    await refuseTooMany(tx, screener);
    await store(tx, screener, sealed);
    await recordAct(tx, deps, {
      actor,
      kind: 'SCREENER_ADDED',
      subject: screener.id,
      ...actPlace(owner),
      reason: null,
      before: null,
      after: screenerFacts(screener),
    });
  });
  return { screener, secret };
}

async function refuseTooMany(tx: Queryable, { bookId, name }: Screener): Promise<void> {
  // Two at once cannot both see room for one more.
  await tx.query(LOCK, [bookId]);
  const rows = await tx.query<{ name: string }>(NAMES, [bookId, SCREENERS_MAX]);
  if (rows.some((row) => row.name === name)) {
    throw refuse('VALIDATION_ERROR', {
      fields: [fieldProblem('name', 'TAKEN', `There is a screener called "${name}" already.`)],
    });
  }
  if (rows.length >= SCREENERS_MAX) {
    throw refuse('LIMIT_EXCEEDED', {
      message: `There are ${SCREENERS_MAX} screeners, which is the most there may be. Delete one first. Nothing was stored.`,
    });
  }
}

async function store(tx: Queryable, screener: Screener, sealed: Uint8Array): Promise<void> {
  const { bookId, id, name, url, deadlineMs, createdBy, createdAt } = screener;
  await tx.query(STORE, [
    bookId,
    id,
    name,
    url,
    sealed,
    deadlineMs,
    createdBy.id,
    createdBy.name,
    createdAt,
  ]);
}

// The company has no row in books to lock.
const LOCK: Statement = {
  name: '',
  text: `select pg_advisory_xact_lock(hashtextextended('screeners ' || $1::text, 0))`,
};

const NAMES: Statement = {
  name: '',
  text: 'select s.name from screeners s where s.book_id = $1 and s.removed_at is null limit $2',
};

const STORE: Statement = {
  name: '',
  text: `
    insert into screeners (
      book_id, id, name, url, secret_sealed, deadline_ms, created_by, created_by_name, created_at
    )
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
};
