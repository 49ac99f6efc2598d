import { recordAct } from '../acts/record-act.ts';
import type { PersonActor } from '../domain/actor.ts';
import type { Book } from '../domain/book.ts';
import { compilePolicy } from '../domain/policy/compile-policy.ts';
import type { Policy } from '../domain/policy/policy.ts';
import type { Queryable, Statement } from '../postgres/database.ts';
import { bumpControls } from './bump-controls.ts';
import { fillCounters } from './fill-counters.ts';
import { findPolicy } from './find-policy.ts';
import { versionFacts } from './policy-facts.ts';
import type { NamedPerson, PolicyDraft, PolicyVersion } from './policy-version.ts';
import type { PolicyDeps } from './save-draft.ts';

type NewVersion = Readonly<{
  actor: PersonActor;
  book: Book;
  draft: PolicyDraft;
  policy: Policy;
  publishedBy: readonly [NamedPerson] | readonly [NamedPerson, NamedPerson];
}>;

/** Makes the draft the next version. Payouts that are decided after the commit are decided by it. */
export async function putInForce(
  tx: Queryable,
  deps: PolicyDeps,
  { actor, book, draft, policy, publishedBy }: NewVersion,
): Promise<PolicyVersion> {
  const before = await findPolicy(tx, book.id);
  const version = (before?.version ?? 0) + 1;
  const { contentHash, document } = draft;
  const publishedAt = deps.now();
  const [first, second = null] = publishedBy;
  await tx.query(INSERT, [
    book.id,
    version,
    JSON.stringify(document),
    contentHash,
    first.id,
    first.name,
    second?.id ?? null,
    second?.name ?? null,
    publishedAt,
  ]);
  await tx.query(END_DRAFT, [book.id]);
  await recordAct(tx, deps, {
    actor,
    kind: 'POLICY_PUBLISHED',
    subject: book.id,
    merchantId: book.merchantId,
    bookId: book.id,
    reason: null,
    before:
      before === undefined ? null : { version: before.version, contentHash: before.contentHash },
    after: versionFacts(version, contentHash, policy),
  });
  // Last, because it locks the wallets: payouts of the book wait from here to the commit.
  await bumpControls(tx, { bookId: book.id });
  await fillCounters(tx, { bookId: book.id, policy: compilePolicy(policy), now: publishedAt });
  await tx.query(KEEP_TIMES, [book.id, policy.sendLateWithinMs, policy.approvalExpiresAfterMs]);
  const named = publishedBy.map(({ id, name }) => ({ id, name }));
  return { version, document, contentHash, publishedBy: named, publishedAt };
}

const INSERT: Statement = {
  name: '',
  text: `
    insert into policies (
      book_id, version, document, content_hash, published_by, published_by_name, confirmed_by, confirmed_by_name,
      published_at
    )
    values ($1, $2, $3::json, $4, $5, $6, $7, $8, $9)`,
};

const END_DRAFT: Statement = {
  name: '',
  text: 'delete from policy_drafts where book_id = $1',
};

/** On the book, so that what sends scheduled payouts reads no policy. */
const KEEP_TIMES: Statement = {
  name: '',
  text: 'update books set send_late_within_ms = $2, approval_expires_after_ms = $3 where id = $1',
};
