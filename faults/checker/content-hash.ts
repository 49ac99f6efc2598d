import { createHash } from 'node:crypto';
import type { TransferRow } from './snapshot.ts';

/** The SHA-256 of what a person approves, computed by the checker's own means. */
export function contentHashOf(transfer: TransferRow): string {
  const content: Readonly<Record<string, unknown>> = {
    amountMinor: transfer.amountMinor,
    bookId: transfer.bookId,
    country: transfer.country,
    currency: transfer.currency,
    feeMinor: transfer.feeMinor,
    id: transfer.id,
    metadata: transfer.metadata,
    narration: transfer.narration,
    operator: transfer.operator,
    phone: transfer.phone,
    recipientName: transfer.recipientName,
    reference: transfer.reference,
    sendAt: transfer.sendAt,
    walletId: transfer.walletId,
  };
  return createHash('sha256').update(writeSorted(content)).digest('hex');
}

function writeSorted(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(writeSorted).join(',')}]`;
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${writeSorted(member)}`).join(',')}}`;
}
