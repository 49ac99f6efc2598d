import type { NameMatch } from '../domain/name-match.ts';
import type { Country, Operator } from '../domain/operator.ts';
import type { Mode } from '../domain/transfer.ts';

export type ShownRecipient = Readonly<{
  id: string;
  phone: string;
  operator: Operator;
  country: Country;
  accountName: string | null;
  suppliedAccountName: string | null;
  nameMatch: NameMatch | null;
  resolution: 'resolved' | 'pending';
  mode: Mode;
  createdAt: Date;
}>;

/** A recipient as merchants see it. Absent values are null, never missing. */
export function renderRecipient(recipient: ShownRecipient) {
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
