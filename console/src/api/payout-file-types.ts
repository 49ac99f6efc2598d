import type {
  PayoutFileState,
  PayoutFile as SdkPayoutFile,
} from '../../../sdk/src/model/payout-file.ts';
import type { FileApproval } from './control-types.ts';

/** With the roles of approvals as the console knows them. */
export type PayoutFile = Omit<SdkPayoutFile, 'approval'> &
  Readonly<{ approval: FileApproval | null }>;

export type {
  FailedRowsDraft,
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
