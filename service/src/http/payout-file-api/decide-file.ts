import type { ApprovalDecision } from '../../approvals/approval.ts';
import { decideFile } from '../../payout-files/file-approvals.ts';
import { readDecisionBody } from '../approval-api/read-decision-body.ts';
import { DecisionBody } from '../schemas/approval-list-schema.ts';
import { idParameter } from '../schemas/id-parameter.ts';
import { PayoutFileObject } from '../schemas/payout-file-schema.ts';
import type { PeopleOperation } from '../server/api-operation.ts';
import type { FileLifeDeps } from './file-life-deps.ts';
import { readFileId, showFile } from './read-file-path.ts';

export function approveFileOperation(deps: FileLifeDeps): PeopleOperation {
  return {
    ...operationFor(deps, 'approve'),
    operationId: 'approvePayoutFile',
    summary: 'Approve a payout file',
    description:
      'Gives your approval of exactly what `contentHash` stands for: all rows, the wallet and the time. With enough ' +
      'approvals it is paid, or scheduled if it has a time. Its rows then need no approvals of their own for the ' +
      'rules that asked. Who uploaded, changed or submitted it, or wrote rows that it was made from, cannot approve it.',
  };
}

export function rejectFileOperation(deps: FileLifeDeps): PeopleOperation {
  return {
    ...operationFor(deps, 'reject'),
    operationId: 'rejectPayoutFile',
    summary: 'Reject a payout file',
    description: 'One rejection is enough: the file is cancelled, and no row of it is paid.',
  };
}

function operationFor(
  deps: FileLifeDeps,
  decision: ApprovalDecision,
): Omit<PeopleOperation, 'operationId' | 'summary' | 'description'> {
  return {
    method: 'POST',
    path: `/payout-files/:id/${decision}`,
    tag: 'Approvals',
    permission: 'payouts:approve',
    stepUp: true,
    schema: {
      params: idParameter('payout file'),
      body: DecisionBody,
      data: { 200: PayoutFileObject },
    },
    async handle({ caller, params, body = new Map() }) {
      const { book, actor } = caller;
      const id = readFileId(params);
      const request = { actor, decision, ...readDecisionBody(body) };
      await decideFile(deps, { book, id, request });
      return {
        status: 200,
        message: decision === 'approve' ? 'Approval recorded' : 'Payout file rejected',
        data: await showFile(deps, caller, id),
      };
    },
  };
}
