import { Link } from '@tanstack/react-router';
import type { ApprovalItem } from '../../api/control-types.ts';
import type { PayoutFileItem } from '../../api/payout-file-types.ts';
import { useBook, useSession } from '../../app/session.ts';
import { formatCount } from '../../format/format-amount.ts';
import { Amount } from '../../parts/amount.tsx';
import { Meter } from '../../parts/meter.tsx';
import type { Column } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { files } from '../../texts/en/files.ts';
import { FileStatePill, outcomeOf } from './file-state.tsx';

const texts = files.list;

/** A file, with its approvals while it waits for them. */
export type ListedFile = PayoutFileItem & Readonly<{ approval: ApprovalItem | undefined }>;

export const FILE_COLUMNS: readonly Column<ListedFile>[] = [
  {
    key: 'file',
    head: texts.file,
    isRowHead: true,
    fold: 'main',
    cell: (file) => (
      <span className="two">
        <FileLink file={file} />
        <small>
          <Time at={file.createdAt} />
        </small>
      </span>
    ),
  },
  {
    key: 'state',
    head: texts.state,
    fold: 'state',
    cell: ({ state }) => <FileStatePill state={state} />,
  },
  {
    key: 'progress',
    head: texts.progress,
    fold: 'more',
    cell: (file) => <FileProgress file={file} />,
  },
  {
    key: 'made',
    head: texts.made,
    fold: 'hide',
    cell: (file) => <FileMaker file={file} />,
  },
  {
    key: 'payouts',
    head: texts.payouts,
    isNumber: true,
    fold: 'time',
    cell: (file) => (
      <>
        {formatCount(outcomeOf(file).payable)}
        <span className="hide-wide-inline faint small">
          {' '}
          {outcomeOf(file).payable === 1 ? texts.payoutWord.one : texts.payoutWord.other}
        </span>
      </>
    ),
  },
  {
    key: 'sum',
    head: texts.sum,
    isNumber: true,
    fold: 'num',
    cell: ({ currency, sum }) =>
      currency === null ? '' : <Amount currency={currency} amount={sum} />,
  },
];

function FileLink({ file: { id, name } }: Readonly<{ file: ListedFile }>) {
  const { id: bookId } = useBook();
  return (
    <Link to={`/b/${bookId}/files/${id}`} className="row-link break">
      {name}
    </Link>
  );
}

function FileMaker({ file: { madeBy, source } }: Readonly<{ file: ListedFile }>) {
  const { person } = useSession();
  if (source === 'schedule') {
    return (
      <span className="two">
        {madeBy.name}
        <small>{texts.bySchedule}</small>
      </span>
    );
  }
  return madeBy.id === person.id ? texts.you : madeBy.name;
}

/** What is next, or how far it is. */
function FileProgress({ file }: Readonly<{ file: ListedFile }>) {
  const { state, counts, progress, approval, payAt } = file;
  const { payable, ended, notPaid } = outcomeOf(file);
  switch (state) {
    case 'checking':
      return texts.checked(progress.checked, progress.total);
    case 'draft':
      return counts.problems > 0 ? (
        <span className="bad">{texts.toCorrect(counts.problems)}</span>
      ) : (
        texts.ready
      );
    case 'awaiting_approval':
      return approval === undefined ? texts.waits : sayApprovals(approval);
    case 'scheduled':
      return (
        <>
          {texts.paysAt} {payAt !== null && <Time at={payAt} />}
        </>
      );
    case 'paying':
      return (
        <span className="two">
          {texts.ended(ended, payable)}
          <Meter used={payable === 0 ? 0 : ended / payable} />
        </span>
      );
    case 'done':
    case 'cancelled':
      return notPaid === 0 && state === 'done' ? texts.allPaid : texts.notPaid(notPaid);
    default: {
      const unhandled: never = state;
      throw new Error(`unhandled ${String(unhandled)}`);
    }
  }
}

function sayApprovals({ requirements, decisions }: ApprovalItem): string {
  const needed = requirements.reduce((sum, { count }) => sum + count, 0) || 1;
  return texts.approvals(decisions.filter(({ decision }) => decision === 'approve').length, needed);
}
