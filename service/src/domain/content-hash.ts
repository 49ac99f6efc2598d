import { createHash } from 'node:crypto';
import { toMetadata } from './metadata.ts';
import type { Transfer } from './transfer.ts';

type Content = Pick<
  Transfer,
  | 'bookId'
  | 'id'
  | 'reference'
  | 'amountMinor'
  | 'feeMinor'
  | 'currency'
  | 'phone'
  | 'operator'
  | 'country'
  | 'walletId'
  | 'narration'
  | 'recipientName'
  | 'metadata'
  | 'sendAt'
>;

/**
 * What an approval is bound to: SHA-256 in hex over what is paid, to whom and when, as JSON with sorted keys and without
 * spaces. Amounts are text, so that no reader rounds them.
 */
export function hashContent(transfer: Content): string {
  const { metadata } = transfer;
  const canonical = JSON.stringify({
    amountMinor: String(transfer.amountMinor),
    bookId: transfer.bookId,
    country: transfer.country,
    currency: transfer.currency,
    feeMinor: String(transfer.feeMinor),
    id: transfer.id,
    metadata: metadata === null ? null : toMetadata(Object.entries(metadata)),
    narration: transfer.narration,
    operator: transfer.operator,
    phone: transfer.phone,
    recipientName: transfer.recipientName,
    reference: transfer.reference,
    sendAt: transfer.sendAt?.toISOString() ?? null,
    walletId: transfer.walletId,
  });
  return createHash('sha256').update(canonical).digest('hex');
}
