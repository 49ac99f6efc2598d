import { Type } from 'typebox';
import { currencyOf } from '../../domain/operator.ts';
import { parseIdempotencyKey } from '../../domain/reference.ts';
import type { TransferCommand } from '../../domain/transfer.ts';
import { type InitiateDeps, initiateTransfer } from '../../transfers/initiate-transfer.ts';
import type { ApiRequest, ApiRoute } from '../api-route.ts';
import { createFieldReader } from '../field-reader.ts';
import { renderTransfer } from '../render-transfer.ts';
import { TransferBody, TransferObject } from '../schemas/transfer-schema.ts';
import type { JsonObject } from '../strict-json.ts';

const FIELDS = [
  'amount',
  'reference',
  'phone',
  'operator',
  'country',
  'walletId',
  'narration',
  'recipientName',
];

export function initiateTransferRoute(deps: InitiateDeps): ApiRoute {
  return {
    method: 'POST',
    path: '/transfers/mobile-money',
    operationId: 'initiateTransfer',
    tag: 'Transfers',
    scope: 'transfers:write',
    summary: 'Pay a phone number',
    description:
      'Stores a transfer and holds its funds. 201 means durably stored; the payout itself follows, ' +
      'and `status` tells of it. A `reference` can be used once: sending it again answers 409 with ' +
      'the existing transfer, so after a timeout send the same request again without fear.',
    schema: {
      headers: Type.Object({
        'idempotency-key': Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 255,
            description:
              'The same key with the same meaning gives the first answer again, ' +
              'with Idempotent-Replayed: true.',
          }),
        ),
      }),
      body: TransferBody,
      data: { 201: TransferObject },
    },
    async handle(request) {
      const { transfer, replayed } = await initiateTransfer(deps, {
        book: request.key.book,
        actor: `key ${request.key.id}`,
        command: readTransferCommand(request.body ?? new Map(), request),
      });
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

function readTransferCommand(
  body: JsonObject,
  request: Pick<ApiRequest, 'header'>,
): TransferCommand {
  const read = createFieldReader(body, FIELDS);
  const country = read.country('country');
  const keyText = request.header('idempotency-key');
  const idempotencyKey = keyText === undefined ? null : parseIdempotencyKey(keyText);
  if (idempotencyKey === undefined) {
    read.problem('Idempotency-Key', 'INVALID_TEXT', '1 to 255 printable ASCII characters.');
  }
  const values = read.checked({
    amountMinor: read.amount('amount'),
    reference: read.reference('reference'),
    phone: read.phone('phone', country),
    operator: read.operator('operator'),
    country,
    walletId: read.walletId('walletId'),
    narration: read.optionalText('narration'),
    recipientName: read.optionalText('recipientName'),
    idempotencyKey,
  });
  return { ...values, currency: currencyOf(values.country) };
}
