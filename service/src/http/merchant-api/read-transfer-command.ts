import { currencyOf } from '../../domain/operator.ts';
import { parseIdempotencyKey } from '../../domain/reference.ts';
import type { TransferCommand } from '../../domain/transfer.ts';
import { TransferBody } from '../schemas/transfer-schema.ts';
import { createFieldReader } from '../server/field-reader.ts';
import type { JsonObject } from '../server/strict-json.ts';

const FIELDS = Object.keys(TransferBody.properties);

/** Reads the transfer order exactly; throws a VALIDATION_ERROR with all broken fields. */
export function readTransferCommand(
  body: JsonObject,
  keyText: string | undefined,
): TransferCommand {
  const read = createFieldReader(body, FIELDS);
  const country = read.country('country');
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
