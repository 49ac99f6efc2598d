import { cancelByStaff } from '../../resolutions/cancel-by-staff.ts';
import { findTransferCell } from '../../transfers/read/find-transfer-cell.ts';
import { pathParameter } from '../schemas/staff-fields.ts';
import { ReasonBody, StaffTransfer } from '../schemas/staff-transfer-schema.ts';
import { createStaffReader } from './read-staff-body.ts';
import { renderFound } from './render-staff.ts';
import { inCell, type StaffDeps } from './staff-deps.ts';
import { staffOperation } from './staff-operation.ts';

export function cancelAnyTransferOperation(deps: StaffDeps) {
  return staffOperation({
    method: 'POST',
    path: '/transfers/:id/cancel',
    operationId: 'cancelAnyTransfer',
    permission: 'transfers:cancel',
    summary: 'Cancel a transfer for its merchant',
    description: 'Only while it is queued. Its hold is released, and the reason is on record.',
    schema: {
      params: pathParameter('id', 'The id of the transfer.'),
      body: ReasonBody,
      data: { 200: StaffTransfer },
    },
    async handle({ caller: { actor }, params, body = new Map() }) {
      const read = createStaffReader(body, Object.keys(ReasonBody.properties));
      const { reason } = read.checked({ reason: read.statement('reason') });
      const id = params['id'] ?? '';
      const cell = await findTransferCell(deps, id);
      const found = await cancelByStaff(inCell(deps, cell), { actor, id, reason });
      return { status: 200, message: 'Transfer cancelled', data: renderFound(found) };
    },
  });
}
