import type { PayoutFile } from '../../api/payout-file-types.ts';

/** The headers of the columns that pay nothing and say nothing. Columns without a header are not named. */
export function listUnusedColumns({ columns }: Pick<PayoutFile, 'columns'>): readonly string[] {
  return columns
    .filter(({ header, field }) => field === null && header.trim() !== '')
    .map(({ header }) => header);
}
