import { revealPhone } from '../../resolutions/reveal-phone.ts';
import { findTransferCell } from '../../transfers/read/find-transfer-cell.ts';
import { pathParameter } from '../schemas/staff-fields.ts';
import { RevealedPhone } from '../schemas/staff-transfer-schema.ts';
import { inCell, type StaffDeps } from './staff-deps.ts';
import { staffOperation } from './staff-operation.ts';

export function revealPhoneOperation(deps: StaffDeps) {
  return staffOperation({
    method: 'POST',
    path: '/transfers/:id/reveal-phone',
    operationId: 'revealPhone',
    permission: 'operations:read',
    summary: 'Show the whole number of a transfer',
    description: 'That you saw it is on record.',
    schema: {
      params: pathParameter('id', 'The id of the transfer.'),
      data: { 200: RevealedPhone },
    },
    async handle({ caller: { actor }, params }) {
      const id = params['id'] ?? '';
      const cell = await findTransferCell(deps, id);
      const phone = await revealPhone(inCell(deps, cell), { actor, id });
      return { status: 200, message: 'Number shown', data: { phone } };
    },
  });
}
