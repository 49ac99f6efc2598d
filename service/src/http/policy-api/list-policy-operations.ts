import type { Replays } from '../../policies/replay/replay-draft.ts';
import type { PolicyDeps } from '../../policies/save-draft.ts';
import type { PeopleOperation } from '../server/api-operation.ts';
import { deleteDraftOperation, putDraftOperation } from './change-draft.ts';
import { getPolicyVersionOperation } from './get-policy.ts';
import { confirmDraftOperation, publishDraftOperation } from './publish-draft.ts';
import { replayDraftOperation } from './replay-draft.ts';

export type PolicyApiDeps = PolicyDeps & Readonly<{ replays: Replays }>;

/** What people do with the policy of a book. */
export function listPolicyOperations(deps: PolicyApiDeps): readonly PeopleOperation[] {
  return [
    getPolicyVersionOperation(deps),
    putDraftOperation(deps),
    deleteDraftOperation(deps),
    replayDraftOperation(deps),
    publishDraftOperation(deps),
    confirmDraftOperation(deps),
  ];
}
