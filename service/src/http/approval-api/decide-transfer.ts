import type { ApprovalDecision } from '../../approvals/approval.ts';
import { decideTransfer } from '../../approvals/transfers/decide-transfer.ts';
import { recallTransfer } from '../../approvals/transfers/recall-transfer.ts';
import { refuse } from '../../domain/refusal.ts';
import { parseUuid } from '../../domain/uuid.ts';
import { renderDecided } from '../merchant-api/render-with-approval.ts';
import { DecisionBody } from '../schemas/approval-list-schema.ts';
import { idParameter } from '../schemas/id-parameter.ts';
import { TransferObject } from '../schemas/transfer-schema.ts';
import type { ApiOperation, PeopleOperation } from '../server/api-operation.ts';
import type { ApprovalApiDeps } from './approval-api-deps.ts';
import { readDecisionBody } from './read-decision-body.ts';

export function approveTransferOperation(deps: ApprovalApiDeps): PeopleOperation {
  return {
    ...operationFor(deps, 'approve'),
    operationId: 'approveTransfer',
    summary: 'Approve a transfer',
    description:
      'Gives your approval of exactly what `contentHash` stands for. With enough approvals it is queued, or scheduled if it has a time; until then it goes on waiting. Its maker cannot approve it, and who made the key that ordered it counts as its maker. An approval counts while you have the role.',
  };
}

export function rejectTransferOperation(deps: ApprovalApiDeps): PeopleOperation {
  return {
    ...operationFor(deps, 'reject'),
    operationId: 'rejectTransfer',
    summary: 'Reject a transfer',
    description:
      'One rejection is enough: the transfer is cancelled with `APPROVAL_REJECTED`, and its hold released.',
  };
}

function operationFor(
  deps: ApprovalApiDeps,
  decision: ApprovalDecision,
): Omit<PeopleOperation, 'operationId' | 'summary' | 'description'> {
  return {
    method: 'POST',
    path: `/transfers/:id/${decision}`,
    tag: 'Approvals',
    permission: 'payouts:approve',
    stepUp: true,
    schema: {
      params: idParameter('transfer'),
      body: DecisionBody,
      data: { 200: TransferObject },
    },
    async handle({ caller: { book, actor }, params, body = new Map() }) {
      const given = readDecisionBody(body);
      const id = readId(params);
      await decideTransfer(deps, { book, id, actor, decision, ...given });
      const data = await renderDecided(deps.database, id, { book, actor });
      return { status: 200, message: MESSAGES[decision], data };
    },
  };
}

const MESSAGES: Readonly<Record<ApprovalDecision, string>> = {
  approve: 'Approval recorded',
  reject: 'Transfer rejected',
};

export function recallTransferOperation(deps: ApprovalApiDeps): ApiOperation {
  return {
    method: 'POST',
    path: '/transfers/:id/recall',
    operationId: 'recallTransfer',
    tag: 'Approvals',
    scope: 'transfers:write',
    permission: 'payouts:write',
    summary: 'Recall a transfer',
    description:
      'Its maker takes back what waits for approval: it is cancelled with `APPROVAL_RECALLED`, and its hold released. What a key ordered can be recalled by any key or person that may pay.',
    schema: { params: idParameter('transfer'), data: { 200: TransferObject } },
    async handle({ caller: { book, actor }, params }) {
      const id = readId(params);
      await recallTransfer(deps, { book, id, actor });
      const data = await renderDecided(deps.database, id, { book, actor });
      return { status: 200, message: 'Transfer recalled', data };
    },
  };
}

function readId(params: Readonly<Record<string, string>>): string {
  const id = parseUuid(params['id'] ?? '');
  if (id === undefined) throw refuse('TRANSFER_NOT_FOUND');
  return id;
}
