import type { Account } from '../operators/contract/connector.ts';
import { isFaultOfOneCommand } from '../postgres/bad-command.ts';
import { type CommitQueue, createCommitQueue } from '../postgres/commit-queue.ts';
import { type Queryable, type Statement } from '../postgres/database.ts';

/** One statement at a time: lookups that arrive meanwhile share the next flush, and a single one does not wait. */
const LOOKUP_CONCURRENCY = 1;
const LOOKUP_GROUP_MAX = 1_024;
/** Lookups that may wait to be recorded; more are refused, because no answer is given without a record. */
const LOOKUPS_WAITING_MAX = 4_096;

/** The record that a key looked up whose account a number is. It does not contain the name. */
export type NameLookup = Account &
  Readonly<{
    bookId: string;
    id: string;
    lookedUpAt: Date;
    actor: string;
    /** The route whose operator answered, or was asked last. Null: none was. */
    route: string | null;
    source: 'operator' | 'cache' | 'none';
    result: 'resolved' | 'noAccount' | 'unreachable' | 'unsupported' | 'noRoute';
  }>;

/** Records name lookups before they are answered. */
export function createLookupRecorder(
  deps: Readonly<{ database: Queryable; monotonicMs: () => number }>,
): CommitQueue<NameLookup, true> {
  return createCommitQueue<NameLookup, true>({
    ownerOf: ({ bookId }) => bookId,
    concurrency: LOOKUP_CONCURRENCY,
    groupMax: LOOKUP_GROUP_MAX,
    waitingMax: LOOKUPS_WAITING_MAX,
    commit: (group) => recordLookups(deps.database, group),
    mayBeOneCommandsFault: isFaultOfOneCommand,
    monotonicMs: deps.monotonicMs,
  });
}

async function recordLookups(
  database: Queryable,
  group: readonly NameLookup[],
): Promise<readonly true[]> {
  await database.query(RECORD, [
    group.map(({ bookId }) => bookId),
    group.map(({ lookedUpAt }) => lookedUpAt),
    group.map(({ id }) => id),
    group.map(({ actor }) => actor),
    group.map(({ operator }) => operator),
    group.map(({ country }) => country),
    group.map(({ phone }) => phone),
    group.map(({ route }) => route),
    group.map(({ source }) => source),
    group.map(({ result }) => result),
  ]);
  return group.map(() => true);
}

const RECORD: Statement = {
  name: 'record-lookups',
  text: `
    insert into name_lookups (
      book_id, looked_up_at, id, actor, operator, country, phone, route, source, result
    )
    select
      l.book_id, l.looked_up_at, l.id, l.actor, l.operator, l.country, l.phone, l.route, l.source,
      l.result
    from unnest(
      $1::uuid[], $2::timestamptz[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[],
      $8::text[], $9::text[], $10::text[]
    ) as l (book_id, looked_up_at, id, actor, operator, country, phone, route, source, result)`,
};
