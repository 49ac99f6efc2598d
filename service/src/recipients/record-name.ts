import { actorCode } from '../domain/actor.ts';
import { causeOf } from '../domain/cause.ts';
import { recordEvents } from '../events/record-events.ts';
import type { Queryable, Statement } from '../postgres/database.ts';
import type { PendingClaim } from './claim-pending.ts';
import type { ResolvedName } from './recipient.ts';

/**
 * Records the result of an attempt to resolve a pending recipient's name. Each statement expects the recipient to be
 * pending and the attempt to be its last one. When another process took over, the statement changes nothing, and the
 * result of the other process stays.
 */

const ACTOR = actorCode({ kind: 'system', part: 'dispatcher' });

type Recorded = Readonly<{ claim: PendingClaim; now: Date }>;

export async function recordName(
  database: Queryable,
  record: Recorded & Readonly<{ naming: ResolvedName }>,
): Promise<void> {
  const { claim, naming, now } = record;
  const { accountName, nameMatch } = naming;
  await database.query(RESOLVED, [...attemptOf(claim), accountName, nameMatch, ACTOR, now]);
}

/** The operator will not give a name, so no further lookup is made. */
export async function recordNoName(
  database: Queryable,
  { claim, now, cause }: Recorded & Readonly<{ cause: string }>,
): Promise<void> {
  await database.query(GIVEN_UP, [...attemptOf(claim), cause, ACTOR, now]);
}

export async function recordNoAnswer(
  database: Queryable,
  { claim, askAgainAt }: Readonly<{ claim: PendingClaim; askAgainAt: Date }>,
): Promise<void> {
  await database.query(POSTPONED, [...attemptOf(claim), askAgainAt]);
}

function attemptOf({ recipient, attempts }: PendingClaim): readonly unknown[] {
  return [recipient.bookId, recipient.id, attempts];
}

const EXPECTED = `
  r.book_id = $1 and r.id = $2 and r.resolve_attempts = $3 and r.resolution = 'pending'`;

// Read from the events and not assumed to be 2, because a person may have restarted the lookups of a given-up
// recipient.
const NEXT_SEQ = `
  (
    select coalesce(max(e.seq), 0) + 1 from events e
    where e.book_id = c.book_id and e.subject_id = c.id
  )`;

const RESOLVED: Statement = {
  name: 'record-name',
  text: `
    with changed as (
      update recipients r
      set account_name = $4, name_match = $5, resolution = 'resolved', next_resolve_at = null
      where ${EXPECTED}
      returning r.book_id, r.id
    ),
    ${recordEvents(`
      select c.book_id, c.id, ${NEXT_SEQ}, 'recipient.resolved', null, null, '${causeOf('NAME_GIVEN')}', $6, $7,
             true
      from changed c`)}
    select id from changed`,
};

// No type: it is part of the history, but merchants only receive events about names that were found.
const GIVEN_UP: Statement = {
  name: 'record-no-name',
  text: `
    with changed as (
      update recipients r
      set next_resolve_at = null
      where ${EXPECTED}
      returning r.book_id, r.id
    )
    insert into events (book_id, subject_id, seq, type, cause, actor, created_at)
    select c.book_id, c.id, ${NEXT_SEQ}, null, $4, $5, $6
    from changed c`,
};

const POSTPONED: Statement = {
  name: 'record-no-answer',
  text: `update recipients r set next_resolve_at = $4 where ${EXPECTED}`,
};
