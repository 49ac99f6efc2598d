import type { PayoutFileState } from '../../../sdk/src/model/payout-file.ts';

export type {
  FailedRowsDraft,
  PayoutFile,
  PayoutFileItem,
  PayoutFileState as FileState,
  PayoutRow,
  PayoutRowField as RowField,
} from '../../../sdk/src/model/payout-file.ts';

/** Written out, because a value from the SDK would be outside the sources that the console is built from. */
export const FILE_STATES = [
  'checking',
  'draft',
  'awaiting_approval',
  'scheduled',
  'paying',
  'done',
  'cancelled',
] as const satisfies readonly PayoutFileState[];
