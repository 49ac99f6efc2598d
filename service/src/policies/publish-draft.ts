import { actAs } from '../acts/act-as.ts';
import { recordAct } from '../acts/record-act.ts';
import type { PersonActor } from '../domain/actor.ts';
import type { Book } from '../domain/book.ts';
import { parsePolicy } from '../domain/policy/parse-policy.ts';
import type { Policy } from '../domain/policy/policy.ts';
import { refuse } from '../domain/refusal.ts';
import { mayInBook } from '../domain/roles.ts';
import { listMembers } from '../people/list-members.ts';
import type { Queryable, Statement } from '../postgres/database.ts';
import { checkDraft, describeImpossible } from './check-draft.ts';
import { findPolicy } from './find-policy.ts';
import { lockPolicyDraft } from './find-policy-draft.ts';
import { draftFacts } from './policy-facts.ts';
import type { NamedPerson, PolicyDraft, PolicyVersion } from './policy-version.ts';
import { putInForce } from './put-in-force.ts';
import { coversLastDays } from './replay-cover.ts';
import { DRAFT_CHANGED, type PolicyDeps } from './save-draft.ts';

type PublishRequest = Readonly<{
  actor: PersonActor;
  book: Book;
  /** The hash of the draft that the person read; undefined: the draft as it is now. */
  contentHash: string | undefined;
}>;

/** Undefined: it waits for a second person. */
type Published = PolicyVersion | undefined;

/** Publishes the draft: at once in a test book; in a live one another person has to confirm it. */
export async function publishDraft(deps: PolicyDeps, request: PublishRequest): Promise<Published> {
  const { actor, book } = request;
  return actAs(deps, actor, async (tx) => {
    const { draft, policy } = await openDraft(tx, request);
    if (book.mode === 'test') {
      return putInForce(tx, deps, { actor, book, draft, policy, publishedBy: [actor] });
    }
    if (!coversLastDays(draft.replay, deps.now())) throw refuse('INVALID_STATE', NOT_REPLAYED);
    if (draft.publishedBy !== null) throw refuse('INVALID_STATE', waitsForAnother(draft));
    await tx.query(PROPOSE, [book.id, actor.id, actor.name, deps.now()]);
    await recordAct(tx, deps, {
      actor,
      kind: 'POLICY_PROPOSED',
      subject: book.id,
      merchantId: book.merchantId,
      bookId: book.id,
      reason: null,
      before: await versionBefore(tx, book.id),
      after: draftFacts(draft.contentHash, policy),
    });
    return undefined;
  });
}

/** Makes the draft of a live book, which another person published, be in force. */
export async function confirmDraft(
  deps: PolicyDeps,
  request: PublishRequest,
): Promise<PolicyVersion> {
  const { actor, book } = request;
  return actAs(deps, actor, async (tx) => {
    const { draft, policy } = await openDraft(tx, request);
    const first = draft.publishedBy;
    if (first === null) throw refuse('INVALID_STATE', NOT_PUBLISHED);
    if (first.id === actor.id) throw refuse('OWN_WORK', OWN_DRAFT);
    if (!(await mayStillPublish(tx, book, first))) throw refuse('INVALID_STATE', PUBLISHER_LEFT);
    return putInForce(tx, deps, { actor, book, draft, policy, publishedBy: [first, actor] });
  });
}

/** The draft, if it is the one that the person read and could be in force. */
async function openDraft(
  tx: Queryable,
  { book, contentHash }: PublishRequest,
): Promise<Readonly<{ draft: PolicyDraft; policy: Policy }>> {
  const draft = await lockPolicyDraft(tx, book.id);
  if (draft === undefined) throw refuse('NOT_FOUND', NO_DRAFT);
  if (contentHash !== undefined && contentHash !== draft.contentHash) {
    throw refuse('CONTENT_CHANGED', DRAFT_CHANGED);
  }
  const parsed = parsePolicy(draft.document);
  if (!parsed.isValid) throw refuse('VALIDATION_ERROR', { fields: parsed.problems });
  const { unknown, impossible } = await checkDraft(tx, book, parsed.policy);
  if (unknown.length > 0) throw refuse('VALIDATION_ERROR', { fields: unknown });
  const [first] = impossible;
  if (first !== undefined) {
    const rules = impossible.map(({ rule }) => rule);
    throw refuse('APPROVAL_IMPOSSIBLE', { message: describeImpossible(first), data: { rules } });
  }
  return { draft, policy: parsed.policy };
}

/** What a person proposed ends with the role by which they could. */
async function mayStillPublish(tx: Queryable, book: Book, person: NamedPerson): Promise<boolean> {
  const members = await listMembers(tx, { merchantId: book.merchantId });
  const roles = members.find(({ id }) => id === person.id)?.roles ?? [];
  return mayInBook(roles, book, 'policy:write');
}

async function versionBefore(tx: Queryable, bookId: string) {
  const policy = await findPolicy(tx, bookId);
  return policy === undefined ? null : { version: policy.version, contentHash: policy.contentHash };
}

function waitsForAnother({ publishedBy }: PolicyDraft) {
  return {
    message: `${publishedBy?.name ?? 'A person'} published this draft. Another owner has to confirm it.`,
  };
}

const NO_DRAFT = { message: 'The book has no draft. Save one first: PUT policy/draft.' };
const NOT_REPLAYED = {
  message:
    'Replay this draft over the last 30 days first, to see what it would have done: POST policy/draft/replay.',
};
const NOT_PUBLISHED = {
  message:
    'This draft waits for no confirmation. One owner publishes it, then another confirms it.',
};
const PUBLISHER_LEFT = {
  message:
    'The person who published this draft may no longer do so. Save the draft again and publish it anew.',
};
const OWN_DRAFT = { message: 'You published this draft. Another owner has to confirm it.' };

const PROPOSE: Statement = {
  name: '',
  text: `
    update policy_drafts set published_by = $2, published_by_name = $3, published_at = $4
    where book_id = $1 and published_by is null`,
};
