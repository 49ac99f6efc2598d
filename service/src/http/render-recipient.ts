import type { Recipient } from '../recipients/recipient.ts';

/** A recipient as merchants see it. Absent values are null, never missing. */
export function renderRecipient(recipient: Recipient) {
  return {
    id: recipient.id,
    type: 'mobile-money',
    phone: recipient.phone,
    operator: recipient.operator,
    country: recipient.country,
    accountName: recipient.accountName,
    suppliedAccountName: recipient.suppliedAccountName,
    nameMatch: recipient.nameMatch,
    resolution: recipient.resolution,
    mode: recipient.mode,
    createdAt: recipient.createdAt.toISOString(),
  };
}
