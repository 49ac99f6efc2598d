import type { Book } from '../../domain/book.ts';
import { parsePolicy } from '../../domain/policy/parse-policy.ts';
import { refuse } from '../../domain/refusal.ts';
import { checkDraft } from '../../policies/check-draft.ts';
import { findPolicy, findPolicyVersion, listPolicyVersions } from '../../policies/find-policy.ts';
import { findPolicyDraft } from '../../policies/find-policy-draft.ts';
import type { PolicyDraft, PolicyVersion } from '../../policies/policy-version.ts';
import type { Queryable } from '../../postgres/database.ts';
import { PolicyObject, PolicyVersionObject, VersionParameter } from '../schemas/policy-schema.ts';
import type { ApiOperation, PeopleOperation } from '../server/api-operation.ts';
import { renderDraft, renderVersion } from './render-policy.ts';

type Deps = Readonly<{ database: Queryable }>;

/** Of a book without a policy. */
const NO_POLICY = {
  version: null,
  document: null,
  contentHash: null,
  rules: [],
  publishedAt: null,
  publishedBy: [],
};

export function getPolicyOperation({ database }: Deps): ApiOperation {
  return {
    method: 'GET',
    path: '/policy',
    operationId: 'getPolicy',
    tag: 'Policy',
    scope: 'read',
    permission: 'policy:read',
    summary: 'Show the policy',
    description:
      'The rules by which payouts of the book are refused, wait for approval, are screened or warned ' +
      'about; the draft of the next version, and the versions so far.',
    schema: { data: { 200: PolicyObject } },
    async handle({ caller: { book } }) {
      return { status: 200, message: 'Policy found', data: await showPolicy(database, book) };
    },
  };
}

/** The policy in force, the draft and the history. */
export async function showPolicy(database: Queryable, book: Book) {
  const policy = await findPolicy(database, book.id);
  const draft = await findPolicyDraft(database, book.id);
  const history = await listPolicyVersions(database, book.id);
  return {
    ...(policy === undefined ? NO_POLICY : renderVersion(policy)),
    draft: draft === undefined ? null : await showDraft(database, book, draft),
    history: history.map(renderHistory),
  };
}

/** The draft, with what does not fit the book now. */
async function showDraft(database: Queryable, book: Book, draft: PolicyDraft) {
  const parsed = parsePolicy(draft.document);
  if (!parsed.isValid) return renderDraft(draft, parsed.problems);
  return renderDraft(draft, await checkDraft(database, book, parsed.policy));
}

function renderHistory(policy: Omit<PolicyVersion, 'document'>) {
  const { version, contentHash, publishedAt, publishedBy } = policy;
  return { version, contentHash, publishedAt: publishedAt.toISOString(), by: publishedBy };
}

export function getPolicyVersionOperation({ database }: Deps): PeopleOperation {
  return {
    method: 'GET',
    path: '/policy/versions/:version',
    operationId: 'getPolicyVersion',
    tag: 'Policy',
    permission: 'policy:read',
    summary: 'Show a version of the policy',
    description: 'A version with its document, whether it is in force or was before.',
    schema: { params: VersionParameter, data: { 200: PolicyVersionObject } },
    async handle({ caller: { book }, params }) {
      const version = readVersion(params['version'] ?? '');
      const policy =
        version === undefined
          ? undefined
          : await findPolicyVersion(database, { bookId: book.id, version });
      if (policy === undefined) throw refuse('NOT_FOUND', NO_VERSION);
      return { status: 200, message: 'Version found', data: renderVersion(policy) };
    },
  };
}

/** Undefined for what cannot be a version. */
function readVersion(text: string): number | undefined {
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;
}

const NO_VERSION = { message: 'The policy has no such version. GET policy lists them.' };
