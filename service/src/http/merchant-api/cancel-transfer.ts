import { refuse } from '../../domain/refusal.ts';
import { parseUuid } from '../../domain/uuid.ts';
import {
  type CancelAndRecordDeps,
  cancelAndRecord,
} from '../../transfers/move/cancel-and-record.ts';
import { renderTransfer } from '../../views/render-transfer.ts';
import { idParameter } from '../schemas/id-parameter.ts';
import { TransferObject } from '../schemas/transfer-schema.ts';
import type { ApiOperation } from '../server/api-operation.ts';

export function cancelTransferOperation(deps: CancelAndRecordDeps): ApiOperation {
  return {
    method: 'POST',
    path: '/transfers/:id/cancel',
    operationId: 'cancelTransfer',
    tag: 'Transfers',
    isOfPayouts: true,
    scope: 'transfers:write',
    permission: 'payouts:write',
    summary: 'Cancel a transfer',
    description:
      'Only while it is `queued` or `scheduled`; otherwise 409 `INVALID_STATE`. Its hold is released. ' +
      'What waits for approval is recalled by its maker, or rejected.',
    schema: {
      params: idParameter('transfer'),
      data: { 200: TransferObject },
    },
    async handle({ caller, params }) {
      const id = parseUuid(params.id ?? '');
      if (id === undefined) throw refuse('TRANSFER_NOT_FOUND');
      const transfer = await cancelAndRecord(deps, {
        book: caller.book,
        id,
        actor: caller.actor,
      });
      return { status: 200, message: 'Transfer cancelled', data: renderTransfer(transfer) };
    },
  };
}
