import { Link } from '@tanstack/react-router';
import type { PayoutRow, RowField } from '../../api/payout-file-types.ts';
import { useBook } from '../../app/session.ts';
import { countMissingDigits } from '../../format/count-digits.ts';
import { Button } from '../../parts/button.tsx';
import { Icon } from '../../parts/icon.tsx';
import { StatePill, Tag } from '../../parts/words.tsx';
import { files } from '../../texts/en/files.ts';
import { CorrectField, useIsCorrectable } from './correct-field.tsx';
import { useRowActs } from './file-context.ts';

const texts = files.row;
/** Fields without a column of their own are corrected below what is wrong with them. */
const FIELDS_BELOW: readonly RowField[] = ['name', 'country', 'narration', 'reference'];

/** Before paying: problems and warnings of the row. Afterwards: its result. */
export function RowCheck({ row }: Readonly<{ row: PayoutRow }>) {
  switch (row.state) {
    case 'dropped':
      return <Tag>{texts.dropped}</Tag>;
    case 'waiting':
      return <Waiting />;
    case 'refused':
      return <Refusal row={row} />;
    case 'created':
      return <TransferLink row={row} />;
    case 'ready':
    case 'problem':
      return <Findings row={row} />;
    default: {
      const unhandled: never = row.state;
      throw new Error(`unhandled ${String(unhandled)}`);
    }
  }
}

function Findings({ row }: Readonly<{ row: PayoutRow }>) {
  const { id: bookId } = useBook();
  const { problems, warnings } = row;
  const below = FIELDS_BELOW.filter((field) => problems.some((one) => one.field === field));
  if (problems.length === 0 && warnings.length === 0) return <Tag tone="good">{texts.ready}</Tag>;
  return (
    <span className="findings">
      {problems.map(({ code, field, message }) => (
        <span key={`${code} ${field}`} className="problem">
          <Icon name="alert" />
          <span>
            {field !== 'phone' && field !== 'amount' && `${texts.fields[field]}: `}
            {code === 'INVALID_PHONE' ? <PhoneProblem row={row} message={message} /> : message}
          </span>
        </span>
      ))}
      {warnings.map(({ code, message, row: other, transferId, fileId }) => (
        <span key={`${code} ${other ?? transferId ?? fileId ?? ''}`} className="worth">
          <Icon name="alert" />
          <span>
            {message}{' '}
            {transferId !== null && transferId !== undefined && (
              <Link to={`/b/${bookId}/transfers/${transferId}`}>{texts.earlier}</Link>
            )}
            {fileId !== null && fileId !== undefined && (
              <Link to={`/b/${bookId}/files/${fileId}`}>{texts.otherFile}</Link>
            )}
          </span>
        </span>
      ))}
      {below.map((field) => (
        <FieldBelow key={field} row={row} field={field} />
      ))}
    </span>
  );
}

/** "One digit is missing" where counting tells what is wrong. */
function PhoneProblem({ row, message }: Readonly<{ row: PayoutRow; message: string }>) {
  const { currency } = useRowActs();
  const text = row.corrections.phone ?? row.cells.phone ?? '';
  const missing = countMissingDigits(text, row.currency ?? currency ?? '');
  return missing === undefined ? message : texts.digits(missing);
}

function FieldBelow({ row, field }: Readonly<{ row: PayoutRow; field: RowField }>) {
  return useIsCorrectable(row, field) ? <CorrectField row={row} field={field} /> : null;
}

function Refusal({ row: { refusal } }: Readonly<{ row: PayoutRow }>) {
  return (
    <span className="two">
      <Tag tone="bad">{texts.refused}</Tag>
      <small>
        <span className="id id-wrap">{refusal?.code}</span> {refusal?.detail}
      </small>
    </span>
  );
}

/** Why a row is not paid yet depends on the file as a whole. */
function Waiting() {
  const { state } = useRowActs();
  if (state === 'awaiting_approval') return <Tag>{texts.waitsApproval}</Tag>;
  return <Tag>{state === 'scheduled' ? texts.waitsTime : texts.waiting}</Tag>;
}

function TransferLink({ row }: Readonly<{ row: PayoutRow }>) {
  const { id: bookId } = useBook();
  const { transferId, transferState, transferFailure } = row;
  if (transferId === null || transferState === null) return <Waiting />;
  return (
    <span className="two">
      <Link to={`/b/${bookId}/transfers/${transferId}`}>
        <StatePill state={transferState} />
      </Link>
      {transferFailure !== null && <small>{transferFailure.message}</small>}
    </span>
  );
}

/** Dropping and restoring, and correcting a row with which nothing is wrong. */
export function RowAct({ row }: Readonly<{ row: PayoutRow }>) {
  const { isDraft, inactive, opened, open, drop, restore } = useRowActs();
  const { number, state } = row;
  if (!isDraft) return null;
  if (state === 'dropped') {
    return (
      <Button
        kind="plain"
        size="sm"
        inactive={inactive}
        aria-label={texts.restoreLabel(number)}
        onClick={() => void restore(row)}
      >
        {texts.restore}
      </Button>
    );
  }
  return (
    <span className="actions row-acts">
      {!opened.has(number) && state === 'ready' && (
        <Button
          kind="plain"
          size="sm"
          inactive={inactive}
          aria-label={texts.correctLabel(number)}
          onClick={() => open(row)}
        >
          {texts.correct}
        </Button>
      )}
      <Button
        kind="plain"
        size="sm"
        inactive={inactive}
        aria-label={texts.dropLabel(number)}
        onClick={() => void drop(row)}
      >
        {texts.drop}
      </Button>
    </span>
  );
}
