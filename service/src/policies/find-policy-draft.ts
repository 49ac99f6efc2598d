import type { Queryable, Statement } from '../postgres/database.ts';
import type { KeptReplay, PolicyDocument, PolicyDraft } from './policy-version.ts';

type DraftRow = {
  document: PolicyDocument;
  content_hash: string;
  changed_by: string;
  changed_by_name: string;
  changed_at: Date;
  replay: KeptReplay['result'] | null;
  replay_from: Date | null;
  replay_to: Date | null;
  replayed_at: Date | null;
  published_by: string | null;
  published_by_name: string | null;
};

/** The draft of a book's policy; undefined: there is none. */
export async function findPolicyDraft(
  database: Queryable,
  bookId: string,
): Promise<PolicyDraft | undefined> {
  const [row] = await database.query<DraftRow>(FIND, [bookId]);
  return row === undefined ? undefined : toDraft(row);
}

/** As `findPolicyDraft`, and no other transaction changes it until this one ends. */
export async function lockPolicyDraft(
  tx: Queryable,
  bookId: string,
): Promise<PolicyDraft | undefined> {
  const [row] = await tx.query<DraftRow>(LOCK, [bookId]);
  return row === undefined ? undefined : toDraft(row);
}

function toDraft(row: DraftRow): PolicyDraft {
  const { published_by: id, published_by_name: name } = row;
  return {
    document: row.document,
    contentHash: row.content_hash,
    changedBy: { id: row.changed_by, name: row.changed_by_name },
    changedAt: row.changed_at,
    replay: toReplay(row),
    publishedBy: id === null || name === null ? null : { id, name },
  };
}

function toReplay({ replay, replay_from, replay_to, replayed_at }: DraftRow): KeptReplay | null {
  if (replay === null || replay_from === null || replay_to === null || replayed_at === null) {
    return null;
  }
  return { from: replay_from, to: replay_to, at: replayed_at, result: replay };
}

const FIND: Statement = {
  name: '',
  text: `
    select document, content_hash, changed_by, changed_by_name, changed_at, replay, replay_from, replay_to,
      replayed_at, published_by, published_by_name
    from policy_drafts where book_id = $1`,
};

const LOCK: Statement = {
  name: '',
  text: `
    select document, content_hash, changed_by, changed_by_name, changed_at, replay, replay_from, replay_to,
      replayed_at, published_by, published_by_name
    from policy_drafts where book_id = $1
    for update`,
};
