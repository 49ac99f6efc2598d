import { currencyOf } from '../../domain/operator.ts';
import { parseIdempotencyKey } from '../../domain/reference.ts';
import type { FieldProblem } from '../../domain/refusal.ts';
import type { TransferCommand } from '../../domain/transfer.ts';
import type { PreflightOrder } from '../../preflight/preflight-transfer.ts';
import { TransferBody } from '../schemas/transfer-schema.ts';
import { createFieldReader, type FieldReader } from '../server/field-reader.ts';
import type { JsonObject } from '../server/strict-json.ts';

const FIELDS = Object.keys(TransferBody.properties);

/** Reads the transfer order exactly; throws a VALIDATION_ERROR with all broken fields. */
export function readTransferCommand(
  body: JsonObject,
  keyText: string | undefined,
): TransferCommand {
  const read = createFieldReader(body, FIELDS);
  const idempotencyKey = keyText === undefined ? null : parseIdempotencyKey(keyText);
  if (idempotencyKey === undefined) {
    read.problem('Idempotency-Key', 'INVALID_TEXT', '1 to 255 printable ASCII characters.');
  }
  const values = read.checked({
    ...readOrder(read),
    reference: read.reference('reference'),
    idempotencyKey,
  });
  return { ...values, currency: currencyOf(values.country) };
}

/** The same order as far as it is given and right, without a reference if none is given, and all that is broken. */
export function readPreflightOrder(
  body: JsonObject,
): Readonly<{ order: PreflightOrder; problems: readonly FieldProblem[] }> {
  const read = createFieldReader(body, FIELDS);
  const order = readOrder(read);
  const reference = body.has('reference') ? read.reference('reference') : null;
  return { order: { ...order, reference }, problems: read.problems() };
}

function readOrder(read: FieldReader) {
  const country = read.country('country');
  return {
    amountMinor: read.amount('amount'),
    phone: read.phone('phone', country),
    operator: read.operator('operator'),
    country,
    walletId: read.walletId('walletId'),
    narration: read.optionalText('narration'),
    recipientName: read.optionalText('recipientName'),
  };
}
