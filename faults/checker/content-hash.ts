import { createHash } from 'node:crypto';
import type { FileRow, PayoutFileRow, TransferRow } from './snapshot.ts';

/** The SHA-256 of the content that a person approves, computed by the checker's own code. */
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

/** The hash of a payout file: its rows in order, each as a line, and the fields that hold for all rows. */
export function fileHashOf(file: PayoutFileRow, ofFile: readonly FileRow[]): string {
  const rows = ofFile.filter(({ state }) => state !== 'dropped' && state !== 'problem');
  const lines = rows.map((row) => {
    const { amountMinor, country, feeMinor, givenReference, narration } = row;
    const { number, operator, phone, recipientName, replaces } = row;
    const content = { amountMinor, country, feeMinor, givenReference, narration, number };
    return `${writeSorted({ ...content, operator, phone, recipientName, replaces })}\n`;
  });
  const sum = rows.reduce((total, { amountMinor }) => total + BigInt(amountMinor ?? 0), 0n);
  const content = {
    bookId: file.bookId,
    count: rows.length,
    currency: file.currency,
    fileId: file.id,
    payAt: file.payAt,
    root: createHash('sha256').update(lines.join('')).digest('hex'),
    sumMinor: String(sum),
    walletId: file.walletId,
  };
  return createHash('sha256').update(writeSorted(content)).digest('hex');
}

function writeSorted(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(writeSorted).join(',')}]`;
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${writeSorted(member)}`).join(',')}}`;
}
