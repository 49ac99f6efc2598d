import { Link } from '@tanstack/react-router';
import type { PayoutFile } from '../../api/payout-file-types.ts';
import { useBook } from '../../app/session.ts';
import { formatCountry, formatOperator } from '../../format/format-operator.ts';
import { Meter } from '../../parts/meter.tsx';
import { Note } from '../../parts/note.tsx';
import { Time } from '../../parts/time.tsx';
import { files } from '../../texts/en/files.ts';
import { listAnd } from '../../texts/plural.ts';
import { listUnusedColumns } from './list-unused-columns.ts';

const texts = files.notes;

/** What is to be known before the rows are looked at. */
export function FileNotes({ file }: Readonly<{ file: PayoutFile }>) {
  const { id: bookId } = useBook();
  const { state, progress, sameUploads, otherSheets, endedAs } = file;
  const lacking = file.operators
    .filter(({ float }) => float === 'not_enough')
    .map(({ operator, country }) => `${formatOperator(operator)} ${formatCountry(country)}`);
  const unused = listUnusedColumns(file);
  const isDraft = state === 'draft' || state === 'checking';
  const reasons: Readonly<Record<string, string>> = texts.endedAs;
  return (
    <div className="file-notes">
      {state === 'checking' && (
        <Note tone="info">
          <p>{texts.checking(progress.checked, progress.total)}</p>
          <Meter used={progress.total === 0 ? 0 : progress.checked / progress.total} />
        </Note>
      )}
      {state === 'cancelled' && (
        <Note tone="caution">
          <b>{texts.cancelled}</b> {reasons[endedAs ?? ''] ?? endedAs}
        </Note>
      )}
      {isDraft && sameUploads.length > 0 && (
        <Note tone="caution">
          <p>{texts.same}</p>
          <ul className="bullets">
            {sameUploads.map(({ id, name, state: then, createdAt }) => (
              <li key={id}>
                <Link to={`/b/${bookId}/files/${id}`}>{name}</Link>, <Time at={createdAt} />,{' '}
                {files.states[then].toLowerCase()}
              </li>
            ))}
          </ul>
        </Note>
      )}
      {lacking.length > 0 && <Note tone="caution">{texts.notEnough(listAnd(lacking))}</Note>}
      {isDraft && otherSheets.length > 0 && (
        <Note tone="caution">{texts.otherSheets(listAnd(otherSheets))}</Note>
      )}
      {isDraft && unused.length > 0 && <Note tone="info">{texts.unused(listAnd(unused))}</Note>}
    </div>
  );
}
