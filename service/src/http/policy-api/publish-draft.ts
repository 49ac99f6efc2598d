import { confirmDraft, publishDraft } from '../../policies/publish-draft.ts';
import type { PolicyDeps } from '../../policies/save-draft.ts';
import { DraftHeaders, PolicyObject } from '../schemas/policy-schema.ts';
import type { PeopleOperation } from '../server/api-operation.ts';
import { showPolicy } from './get-policy.ts';
import { readDraftHash } from './read-draft-hash.ts';

export function publishDraftOperation(deps: PolicyDeps): PeopleOperation {
  return {
    method: 'POST',
    path: '/policy/draft/publish',
    operationId: 'publishPolicyDraft',
    tag: 'Policy',
    permission: 'policy:write',
    stepUp: true,
    summary: 'Publish the draft',
    description:
      'In a test book the draft is in force at once. In a live book it must have been replayed over ' +
      'the last 30 days, and is in force when another owner has confirmed it.',
    schema: { headers: DraftHeaders, data: { 200: PolicyObject } },
    async handle({ caller: { book, actor }, header }) {
      const version = await publishDraft(deps, { actor, book, contentHash: readDraftHash(header) });
      const message =
        version === undefined ? 'Draft published, awaits confirmation' : 'Policy published';
      return { status: 200, message, data: await showPolicy(deps.database, book) };
    },
  };
}

export function confirmDraftOperation(deps: PolicyDeps): PeopleOperation {
  return {
    method: 'POST',
    path: '/policy/draft/confirm',
    operationId: 'confirmPolicyDraft',
    tag: 'Policy',
    permission: 'policy:write',
    stepUp: true,
    summary: 'Confirm the draft',
    description: 'Puts a draft in force that another owner of a live book has published.',
    schema: { headers: DraftHeaders, data: { 200: PolicyObject } },
    async handle({ caller: { book, actor }, header }) {
      await confirmDraft(deps, { actor, book, contentHash: readDraftHash(header) });
      const data = await showPolicy(deps.database, book);
      return { status: 200, message: 'Policy published', data };
    },
  };
}
