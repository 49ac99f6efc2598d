import { actorCode } from '../../domain/actor.ts';
import { failpoint } from '../../telemetry/failpoint.ts';
import { type InitiateDeps, initiateTransfer } from '../../transfers/accept/initiate-transfer.ts';
import { originOf } from '../../transfers/accept/prepared-transfer.ts';
import { renderTransfer } from '../../views/render-transfer.ts';
import { IdempotencyHeaders, TransferBody, TransferObject } from '../schemas/transfer-schema.ts';
import type { ApiOperation } from '../server/api-operation.ts';
import { readTransferCommand } from './read-transfer-command.ts';

export function initiateTransferOperation(deps: InitiateDeps): ApiOperation {
  return {
    method: 'POST',
    path: '/transfers/mobile-money',
    operationId: 'initiateTransfer',
    tag: 'Transfers',
    isOfPayouts: true,
    scope: 'transfers:write',
    permission: 'payouts:write',
    summary: 'Pay a phone number',
    description:
      'Stores a transfer and holds its funds. 201 means durably stored; the payout itself follows, ' +
      'and `status` shows its result. A `reference` can be used once: sending it again answers 409 with ' +
      'the existing transfer, so after a timeout it is safe to send the same request again. With `sendAt` it ' +
      'waits as `scheduled`, its funds held, and can be cancelled until then. It counts towards the ' +
      "wallet's limit of the day on which it is accepted. If the service was down at its time, it is sent as " +
      'soon as the service runs again; later than `sendLateWithin` of the policy allows (24 hours if it says ' +
      'nothing) it waits as `awaiting_approval` instead.',
    schema: {
      headers: IdempotencyHeaders,
      body: TransferBody,
      data: { 201: TransferObject },
    },
    async handle(request) {
      const command = readTransferCommand(request.body ?? new Map(), {
        keyText: request.header('idempotency-key'),
        now: deps.now,
      });
      failpoint('after-parse');
      const { transfer, replayed } = await initiateTransfer(deps, {
        book: request.caller.book,
        actor: actorCode(request.caller.actor),
        origin: originOf(request.caller.actor),
        command,
      });
      failpoint('before-answer');
      const location = `/api/v1/payments/transfers/${transfer.id}`;
      return {
        status: 201,
        message: 'Transfer initiated',
        data: renderTransfer(transfer),
        headers: replayed ? { location, 'idempotent-replayed': 'true' } : { location },
      };
    },
  };
}
