import type { FileState, PayoutFileItem } from '../../api/payout-file-types.ts';
import type { TransferState } from '../../api/types.ts';
import { Icon } from '../../parts/icon.tsx';
import { Tag } from '../../parts/words.tsx';
import { files } from '../../texts/en/files.ts';

/** States of a file look like those of a transfer that mean the same. */
const LOOKS: Readonly<Partial<Record<FileState, TransferState>>> = {
  awaiting_approval: 'awaiting_approval',
  scheduled: 'scheduled',
  paying: 'submitting',
  done: 'succeeded',
  cancelled: 'cancelled',
};

export function FileStatePill({ state }: Readonly<{ state: FileState }>) {
  const look = LOOKS[state];
  if (look === undefined) {
    return <Tag {...(state === 'draft' ? { tone: 'accent' } : {})}>{files.states[state]}</Tag>;
  }
  return (
    <span className={`state state-${look}`}>
      <Icon name={look} />
      {files.states[state]}
    </span>
  );
}

type Outcome = Readonly<{
  /** Rows that are to be paid. */
  payable: number;
  /** Rows of which it is known what became of them. */
  ended: number;
  notPaid: number;
  underWay: number;
  waiting: number;
}>;

export function outcomeOf({ counts }: Pick<PayoutFileItem, 'counts'>): Outcome {
  const { rows, dropped, created, refused, succeeded, failed, cancelled } = counts;
  const payable = rows - dropped;
  const notPaid = failed + cancelled + refused;
  return {
    payable,
    notPaid,
    ended: succeeded + notPaid,
    underWay: created - succeeded - failed - cancelled,
    waiting: payable - created - refused,
  };
}
