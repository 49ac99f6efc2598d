import { checkPlainText } from '../../domain/plain-text.ts';
import type { ResolutionDecision } from '../../resolutions/proposal.ts';
import { resolveByPeople } from '../../resolutions/resolve-by-people.ts';
import { withdrawProposal } from '../../resolutions/withdraw-proposal.ts';
import { findAnyTransfer } from '../../transfers/read/find-any-transfer.ts';
import { findTransferCell } from '../../transfers/read/find-transfer-cell.ts';
import { pathParameter } from '../schemas/staff-fields.ts';
import {
  ResolveBody,
  Resolved,
  WithdrawBody,
  Withdrawn,
} from '../schemas/staff-transfer-schema.ts';
import type { JsonObject } from '../server/strict-json.ts';
import { createStaffReader } from './read-staff-body.ts';
import { renderFound, renderProposal } from './render-staff.ts';
import { inCell, type StaffDeps } from './staff-deps.ts';
import { staffOperation } from './staff-operation.ts';

const TRANSFER = pathParameter('id', 'The id of the transfer.');
const DECISION_WORDS: readonly ResolutionDecision[] = ['paid', 'not_paid', 'reversed'];
const RECEIPT_LENGTH_MAX = 100;

export function resolveTransferOperation(deps: StaffDeps) {
  return staffOperation({
    method: 'POST',
    path: '/transfers/:id/resolve',
    operationId: 'resolveTransfer',
    permission: 'transfers:resolve',
    stepUp: true,
    summary: 'Say what became of a transfer',
    description:
      'The first person proposes; another one who says the same, with evidence of their own, carries it out.',
    schema: { params: TRANSFER, body: ResolveBody, data: { 200: Resolved } },
    async handle({ caller: { actor }, params, body = new Map() }) {
      const { seen, ...resolution } = readResolution(body);
      const id = params['id'] ?? '';
      const cell = await findTransferCell(deps, id);
      const resolved = await resolveByPeople(inCell(deps, cell), { actor, id, resolution, seen });
      const { proposal } = resolved;
      const found = await findAnyTransfer(cell.database, proposal.transferId);
      const isDone = resolved.kind === 'carriedOut';
      return {
        status: 200,
        message: isDone ? 'Confirmed' : 'Proposed. Another person who finds the same confirms it',
        data: {
          result: isDone ? 'confirmed' : 'proposed',
          transfer: renderFound(found),
          proposal: renderProposal(proposal),
        },
      };
    },
  });
}

export function withdrawResolutionOperation(deps: StaffDeps) {
  return staffOperation({
    method: 'POST',
    path: '/transfers/:id/withdraw',
    operationId: 'withdrawResolution',
    permission: 'transfers:resolve',
    stepUp: true,
    summary: 'Withdraw what was proposed for a transfer',
    description:
      'Any person who may decide may, not only who proposed it. The transfer stays as it is.',
    schema: { params: TRANSFER, body: WithdrawBody, data: { 200: Withdrawn } },
    async handle({ caller: { actor }, params, body = new Map() }) {
      const read = createStaffReader(body, Object.keys(WithdrawBody.properties));
      const given = read.checked({
        reason: read.optionalStatement('reason'),
        seen: read.seen(),
      });
      const id = params['id'] ?? '';
      const cell = await findTransferCell(deps, id);
      const proposal = await withdrawProposal(inCell(deps, cell), { actor, id, ...given });
      const found = await findAnyTransfer(cell.database, proposal.transferId);
      const data = { transfer: renderFound(found), proposal: renderProposal(proposal) };
      return { status: 200, message: 'Withdrawn', data };
    },
  });
}

function readResolution(body: JsonObject) {
  const read = createStaffReader(body, Object.keys(ResolveBody.properties));
  const decision = read.word('decision', DECISION_WORDS);
  const receipt = read.optionalText('receipt', (text) => text.trim(), null);
  if (decision === 'paid' && receipt === null) {
    read.problem('receipt', 'REQUIRED', "The operator's receipt, as its list shows it.");
  } else if (decision !== undefined && decision !== 'paid' && receipt !== null) {
    read.problem('receipt', 'INVALID_TEXT', 'Only where it was paid. Leave it out.');
  } else if (typeof receipt === 'string' && !isReceipt(receipt)) {
    read.problem('receipt', 'INVALID_TEXT', `1 to ${RECEIPT_LENGTH_MAX} characters.`);
  }
  return read.checked({
    decision,
    receipt,
    evidence: read.statement('evidence'),
    seen: read.seen(),
  });
}

function isReceipt(text: string): boolean {
  return text !== '' && checkPlainText(text, { codePointsMax: RECEIPT_LENGTH_MAX }) === 'ok';
}
