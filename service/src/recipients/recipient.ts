import { matchNames, type NameMatch } from '../domain/name-match.ts';
import type { Country, Operator } from '../domain/operator.ts';
import type { Mode } from '../domain/transfer.ts';

/**
 * A person whom a merchant pays. The name comes from the operator; until the operator has given it, the recipient is
 * pending and has no name.
 */
export type Recipient = Readonly<{
  bookId: string;
  id: string;
  mode: Mode;
  phone: string;
  operator: Operator;
  country: Country;
  suppliedAccountName: string | null;
  createdAt: Date;
}> &
  Naming;

export type ResolvedName = Readonly<{
  resolution: 'resolved';
  accountName: string;
  /** How the supplied name compares; null when none was supplied. */
  nameMatch: NameMatch | null;
}>;

export type Naming =
  | ResolvedName
  | Readonly<{ resolution: 'pending'; accountName: null; nameMatch: null }>;

export const PENDING: Naming = { resolution: 'pending', accountName: null, nameMatch: null };

export function nameResolved(
  names: Readonly<{ suppliedAccountName: string | null; accountName: string }>,
): ResolvedName {
  const { suppliedAccountName: supplied, accountName } = names;
  const nameMatch = supplied === null ? null : matchNames(supplied, accountName);
  return { resolution: 'resolved', accountName, nameMatch };
}
