import type { NameMatch } from '../domain/name-match.ts';
import type { RowWarning } from '../domain/payout-file/row-problem.ts';

/** What is worth a look about the name that the operator has. */
export function warningOfName(nameMatch: NameMatch | null): readonly RowWarning[] {
  if (nameMatch === 'mismatch') return [{ code: 'NAME_MISMATCH', field: 'name' }];
  return nameMatch === 'close' ? [{ code: 'NAME_CLOSE', field: 'name' }] : [];
}
