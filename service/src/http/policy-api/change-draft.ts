import { checkDraft } from '../../policies/check-draft.ts';
import { discardDraft, type PolicyDeps, saveDraft } from '../../policies/save-draft.ts';
import { PolicyBody } from '../schemas/policy-document-schema.ts';
import {
  DiscardedDraft,
  DraftHeaders,
  DraftObject,
  NewDraftHeaders,
} from '../schemas/policy-schema.ts';
import type { PeopleOperation } from '../server/api-operation.ts';
import type { JsonLimits } from '../server/json-limits.ts';
import { readDocument } from './read-document.ts';
import { readDraftHash } from './read-draft-hash.ts';
import { renderDraft } from './render-policy.ts';

/** As much as the database keeps. */
const DOCUMENT_BYTES_MAX = 256 * 1_024;

/** 200 rules with lists; a longer list gets a message of its own. */
const DOCUMENT_LIMITS: JsonLimits = {
  depthMax: 8,
  valuesMax: 30_000,
  itemsMax: 1_024,
  keysMax: 128,
  stringLengthMax: 1_024,
};

export function putDraftOperation(deps: PolicyDeps): PeopleOperation {
  return {
    method: 'PUT',
    path: '/policy/draft',
    operationId: 'putPolicyDraft',
    tag: 'Policy',
    permission: 'policy:write',
    summary: 'Save the draft',
    description:
      'The body is the document. It changes no payout until it is published. A document that ' +
      'changes must be replayed and published anew.',
    bodyBytesMax: DOCUMENT_BYTES_MAX,
    bodyShape: DOCUMENT_LIMITS,
    schema: { headers: NewDraftHeaders, body: PolicyBody, data: { 200: DraftObject } },
    async handle({ caller: { book, actor }, body = new Map(), header }) {
      const { document, policy } = readDocument(body);
      const isFirst = header('if-none-match')?.trim() === '*';
      const replaces = isFirst ? null : readDraftHash(header);
      const draft = await saveDraft(deps, { actor, book, document, policy, replaces });
      const check = await checkDraft(deps.database, book, policy);
      return { status: 200, message: 'Draft saved', data: renderDraft(draft, check) };
    },
  };
}

export function deleteDraftOperation(deps: PolicyDeps): PeopleOperation {
  return {
    method: 'DELETE',
    path: '/policy/draft',
    operationId: 'deletePolicyDraft',
    tag: 'Policy',
    permission: 'policy:write',
    summary: 'Discard the draft',
    description: 'The policy in force stays as it is.',
    schema: { headers: DraftHeaders, data: { 200: DiscardedDraft } },
    async handle({ caller: { book, actor }, header }) {
      await discardDraft(deps, { actor, book, contentHash: readDraftHash(header) });
      return { status: 200, message: 'Draft discarded', data: {} };
    },
  };
}
