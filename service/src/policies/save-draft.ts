import type { ActDeps } from '../acts/act.ts';
import { actAs } from '../acts/act-as.ts';
import { recordAct } from '../acts/record-act.ts';
import type { PersonActor } from '../domain/actor.ts';
import type { Book } from '../domain/book.ts';
import type { Policy } from '../domain/policy/policy.ts';
import { refuse } from '../domain/refusal.ts';
import type { Database, Statement } from '../postgres/database.ts';
import { hashDocument } from './content-hash.ts';
import { lockPolicyDraft } from './find-policy-draft.ts';
import { draftFacts } from './policy-facts.ts';
import type { PolicyDocument, PolicyDraft } from './policy-version.ts';

export type PolicyDeps = ActDeps & Readonly<{ database: Database }>;

type SaveRequest = Readonly<{
  actor: PersonActor;
  book: Book;
  document: PolicyDocument;
  /** The document, read. */
  policy: Policy;
  /** The hash of the draft that the person read; null: there was none; undefined: any. */
  replaces: string | null | undefined;
}>;

/**
 * Replaces the draft, if it is the one that the person read: what another person changed meanwhile is not lost. A
 * document that changes takes back its replay and its first publisher.
 */
export async function saveDraft(
  deps: PolicyDeps,
  { actor, book, document, policy, replaces }: SaveRequest,
): Promise<PolicyDraft> {
  const contentHash = hashDocument(document);
  return actAs(deps, actor, async (tx) => {
    const before = await lockPolicyDraft(tx, book.id);
    if (before?.contentHash === contentHash) return before;
    if (replaces !== undefined && replaces !== (before?.contentHash ?? null)) {
      throw refuse('CONTENT_CHANGED', DRAFT_CHANGED);
    }
    const changedAt = deps.now();
    const text = JSON.stringify(document);
    await tx.query(SAVE, [book.id, text, contentHash, actor.id, actor.name, changedAt]);
    await recordAct(tx, deps, {
      actor,
      kind: 'POLICY_DRAFT_SAVED',
      subject: book.id,
      merchantId: book.merchantId,
      bookId: book.id,
      reason: null,
      before: before === undefined ? null : { contentHash: before.contentHash },
      after: draftFacts(contentHash, policy),
    });
    const changedBy = { id: actor.id, name: actor.name };
    return { document, contentHash, changedBy, changedAt, replay: null, publishedBy: null };
  });
}

type DiscardRequest = Readonly<{
  actor: PersonActor;
  book: Book;
  /** The hash of the draft that the person read; undefined: any. */
  contentHash: string | undefined;
}>;

export async function discardDraft(
  deps: PolicyDeps,
  { actor, book, contentHash }: DiscardRequest,
): Promise<void> {
  await actAs(deps, actor, async (tx) => {
    const draft = await lockPolicyDraft(tx, book.id);
    if (draft === undefined) throw refuse('NOT_FOUND', { message: 'The book has no draft.' });
    if (contentHash !== undefined && contentHash !== draft.contentHash) {
      throw refuse('CONTENT_CHANGED', DRAFT_CHANGED);
    }
    await tx.query(DISCARD, [book.id]);
    await recordAct(tx, deps, {
      actor,
      kind: 'POLICY_DRAFT_DISCARDED',
      subject: book.id,
      merchantId: book.merchantId,
      bookId: book.id,
      reason: null,
      before: { contentHash: draft.contentHash },
      after: null,
    });
  });
}

export const DRAFT_CHANGED = {
  message: 'The draft was changed since you read it. Read it again, then decide.',
};

const SAVE: Statement = {
  name: '',
  text: `
    insert into policy_drafts (book_id, document, content_hash, changed_by, changed_by_name, changed_at)
    values ($1, $2::json, $3, $4, $5, $6)
    on conflict (book_id) do update
    set document = excluded.document, content_hash = excluded.content_hash, changed_by = excluded.changed_by,
      changed_by_name = excluded.changed_by_name, changed_at = excluded.changed_at,
      replay = null, replay_from = null, replay_to = null, replayed_at = null,
      published_by = null, published_by_name = null, published_at = null`,
};

const DISCARD: Statement = {
  name: '',
  text: 'delete from policy_drafts where book_id = $1',
};
