import type { ActDeps } from '../acts/act.ts';
import { actAs } from '../acts/act-as.ts';
import { recordAct } from '../acts/record-act.ts';
import type { PersonActor } from '../domain/actor.ts';
import { actPlace, bookIdOf, type ControlOwner } from '../domain/control-owner.ts';
import { refuse } from '../domain/refusal.ts';
import { bumpControls } from '../policies/bump-controls.ts';
import type { Database, Queryable, Statement } from '../postgres/database.ts';
import { entryFacts, type ListEntry, type ListName } from './list-entry.ts';

/** Entries of one list that have not ended. Enough for a list of sanctions, and few enough to be looked through. */
const ENTRIES_MAX = 100_000;

export type ListDeps = ActDeps & Readonly<{ database: Database }>;

export type NewEntry = Readonly<{
  actor: PersonActor;
  owner: ControlOwner;
  list: ListName;
  phone: string;
  reason: string;
  expiresAt: Date | null;
}>;

/**
 * Puts a number on a list. Every payout that is accepted after this commit sees it, in every process. A number is on a
 * list once: ending its entry takes it off.
 */
export async function addEntry(deps: ListDeps, request: NewEntry): Promise<ListEntry> {
  const { actor, owner, list, phone, reason, expiresAt } = request;
  return actAs(deps, actor, async (tx) => {
    // Locks the book, or all of them: two at once cannot both find that the number is not listed.
    await bumpControls(tx, { bookId: owner === 'company' ? null : owner.bookId });
    const bookId = bookIdOf(owner);
    await refuseListed(tx, { bookId, list, phone });
    const entry: ListEntry = {
      bookId,
      id: deps.newId(),
      list,
      phone,
      reason,
      author: { id: actor.id, name: actor.name },
      createdAt: deps.now(),
      expiresAt,
      endedAt: null,
      endedBy: null,
      endReason: null,
    };
    await store(tx, entry);
    await recordAct(tx, deps, {
      actor,
      kind: 'LIST_ENTRY_ADDED',
      subject: entry.id,
      ...actPlace(owner),
      reason,
      before: null,
      after: entryFacts(entry),
    });
    return entry;
  });
}

async function refuseListed(
  tx: Queryable,
  { bookId, list, phone }: Readonly<{ bookId: string; list: ListName; phone: string }>,
): Promise<void> {
  const [found] = await tx.query<{ entries: bigint; id: string | null }>(LOOK, [
    bookId,
    list,
    phone,
    ENTRIES_MAX,
  ]);
  const id = found?.id ?? null;
  if (id !== null) {
    throw refuse('INVALID_STATE', {
      message: `This number is on the ${list} list already, by the entry ${id}. End that one first to change it. Nothing was stored.`,
    });
  }
  if (Number(found?.entries ?? 0) >= ENTRIES_MAX) {
    throw refuse('LIMIT_EXCEEDED', {
      message: `The ${list} list has ${ENTRIES_MAX} entries, which is the most it may have. End one first. Nothing was stored.`,
    });
  }
}

async function store(tx: Queryable, entry: ListEntry): Promise<void> {
  const { bookId, id, list, phone, reason, author, createdAt, expiresAt } = entry;
  await tx.query(STORE, [
    bookId,
    id,
    list,
    phone,
    reason,
    author.id,
    author.name,
    createdAt,
    expiresAt,
  ]);
}

// Counted only up to the bound, by the index of entries that have not ended.
const LOOK: Statement = {
  name: '',
  text: `
    select (
        select count(*) from (
          select from list_entries e
          where e.book_id = $1 and e.list = $2 and e.ended_at is null
          limit $4
        ) counted
      ) as entries,
      (
        select e.id from list_entries e
        where e.book_id = $1 and e.list = $2 and e.phone = $3 and e.ended_at is null
          and (e.expires_at is null or e.expires_at > now())
        limit 1
      ) as id`,
};

const STORE: Statement = {
  name: '',
  text: `
    insert into list_entries (
      book_id, id, list, phone, reason, created_by, created_by_name, created_at, expires_at
    )
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
};
