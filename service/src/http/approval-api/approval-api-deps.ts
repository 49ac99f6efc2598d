import type { ApprovalSource } from '../../approvals/approval-source.ts';
import type { DecideDeps } from '../../approvals/transfers/decide-transfer.ts';

export type ApprovalApiDeps = DecideDeps &
  Readonly<{
    /** Every kind of subject that waits for approvals. */
    sources: readonly ApprovalSource[];
  }>;
