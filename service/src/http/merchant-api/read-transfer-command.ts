import type { FieldProblem } from '../../domain/field-problem.ts';
import { currencyOf } from '../../domain/operator.ts';
import { parseIdempotencyKey } from '../../domain/reference.ts';
import { findSendAtProblem } from '../../domain/send-at.ts';
import type { TransferCommand } from '../../domain/transfer.ts';
import type { PreflightOrder } from '../../preflight/preflight-transfer.ts';
import { TransferBody } from '../schemas/transfer-schema.ts';
import { createFieldReader, type FieldReader } from '../server/field-reader.ts';
import type { JsonObject } from '../server/strict-json.ts';

const FIELDS = Object.keys(TransferBody.properties);

/**
 * Reads the transfer order exactly; throws a VALIDATION_ERROR with all broken fields. A time that has passed breaks
 * nothing by itself: the call may be repeated, and then it must find the transfer that it stored.
 */
export function readTransferCommand(
  body: JsonObject,
  { keyText, now }: Readonly<{ keyText: string | undefined; now: () => Date }>,
): TransferCommand {
  const read = createFieldReader(body, FIELDS);
  const idempotencyKey = keyText === undefined ? null : parseIdempotencyKey(keyText);
  if (idempotencyKey === undefined) {
    read.problem('Idempotency-Key', 'INVALID_TEXT', '1 to 255 printable ASCII characters.');
  }
  const order = readOrder(read);
  const reference = read.reference('reference');
  if (read.problems().length > 0) noteSendAt(read, order.sendAt, now);
  const values = read.checked({ ...order, reference, idempotencyKey });
  return { ...values, currency: currencyOf(values.country) };
}

/** The same order as far as it is given and right, without a reference if none is given, and all that is broken. */
export function readPreflightOrder(
  body: JsonObject,
  now: () => Date,
): Readonly<{ order: PreflightOrder; problems: readonly FieldProblem[] }> {
  const read = createFieldReader(body, FIELDS);
  const order = readOrder(read);
  const reference = body.has('reference') ? read.reference('reference') : null;
  noteSendAt(read, order.sendAt, now);
  return { order: { ...order, reference }, problems: read.problems() };
}

function noteSendAt(read: FieldReader, sendAt: Date | null | undefined, now: () => Date): void {
  if (sendAt === undefined || sendAt === null) return;
  const found = findSendAtProblem(sendAt, now());
  if (found !== null) read.problem(found.field, found.code, found.message);
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
    metadata: read.metadata('metadata'),
    sendAt: read.sendAt('sendAt'),
  };
}
