import { Link, useParams } from '@tanstack/react-router';
import { hasCode } from '../../api/api-error.ts';
import type { FileState, PayoutFile } from '../../api/payout-file-types.ts';
import { Page } from '../../app/page.tsx';
import { useBook, useSession } from '../../app/session.ts';
import { Card } from '../../parts/card.tsx';
import { Empty } from '../../parts/empty.tsx';
import { PartFailed } from '../../parts/failure.tsx';
import { Icon } from '../../parts/icon.tsx';
import { LoadingRows } from '../../parts/loading.tsx';
import { Time } from '../../parts/time.tsx';
import { files as texts } from '../../texts/en/files.ts';
import { placeNames } from '../../texts/en/places.ts';
import { FileStatePill } from '../files/file-state.tsx';
import { FileActs } from './file-acts.tsx';
import { FileApprovals } from './file-approvals.tsx';
import { FileFigures } from './file-figures.tsx';
import { FileNotes } from './file-notes.tsx';
import { OperatorsCard } from './operators-card.tsx';
import { ProgressCard } from './progress-card.tsx';
import { RowsCard } from './rows-card.tsx';
import { SubmitFoot } from './submit-foot.tsx';
import { useFile } from './use-file.ts';

/** Submitting is one click, so no file is ever seen at that step. */
const STEP_OF: Readonly<Record<FileState, number | undefined>> = {
  checking: 0,
  draft: 0,
  awaiting_approval: 2,
  scheduled: 3,
  paying: 3,
  done: 4,
  cancelled: undefined,
};

export default function FileScreen() {
  const { fileId = '' } = useParams({ strict: false }) as { fileId?: string };
  const found = useFile(fileId);
  // Another file begins with nothing typed, opened or kept of this one.
  if (found.data !== undefined) return <Found key={fileId} file={found.data} />;
  return (
    <Page title={placeNames.file} crumbs={[<ListLink key="list" />]}>
      <Card>
        {hasCode(found.error, 'PAYOUT_FILE_NOT_FOUND') ? (
          <Empty icon="search" title={texts.head.notFound} actions={<ListLink isButton />}>
            {texts.head.notFoundDetail}
          </Empty>
        ) : found.isError ? (
          <PartFailed error={found.error} onRetry={() => void found.refetch()} />
        ) : (
          <LoadingRows rows={6} />
        )}
      </Card>
    </Page>
  );
}

function ListLink({ isButton = false }: Readonly<{ isButton?: boolean }>) {
  const { id } = useBook();
  return (
    <Link to={`/b/${id}/files`} {...(isButton ? { className: 'btn' } : {})}>
      {isButton ? texts.head.toList : placeNames.files}
    </Link>
  );
}

function Found({ file }: Readonly<{ file: PayoutFile }>) {
  const { state, name } = file;
  const isDraft = state === 'draft' || state === 'checking';
  return (
    <Page
      title={name}
      crumbs={[
        <ListLink key="list" />,
        <span key="this" className="break">
          {name}
        </span>,
      ]}
      intro={<Intro file={file} />}
      actions={<FileActs file={file} />}
    >
      <Steps state={state} />
      <FileNotes file={file} />
      <FileFigures file={file} />
      <FileApprovals file={file} />
      {!isDraft && (
        <div className="mb">
          <ProgressCard file={file} />
        </div>
      )}
      <RowsCard file={file} />
      <OperatorsCard file={file} />
      {isDraft && <SubmitFoot file={file} />}
    </Page>
  );
}

function Intro({ file }: Readonly<{ file: PayoutFile }>) {
  const { person } = useSession();
  const { id: bookId } = useBook();
  const { state, counts, sheet, createdAt, madeBy, submittedAt, submittedBy, failedRowsOf } = file;
  const maker = madeBy.id === person.id ? texts.list.you : madeBy.name;
  return (
    <span className="file-intro">
      <FileStatePill state={state} />
      <span>
        {texts.rows(counts.rows)}
        {sheet !== null && `, ${texts.head.sheet(sheet)}`} ·{' '}
        {failedRowsOf === null ? (
          texts.head.uploaded
        ) : (
          <Link to={`/b/${bookId}/files/${failedRowsOf}`}>{texts.head.failedRowsOf}</Link>
        )}{' '}
        <Time at={createdAt} /> {texts.head.by(maker)}
        {submittedAt !== null && (
          <>
            {' '}
            · {texts.head.submitted} <Time at={submittedAt} />{' '}
            {submittedBy !== null && submittedBy !== madeBy.name && texts.head.by(submittedBy)}
          </>
        )}
      </span>
    </span>
  );
}

function Steps({ state }: Readonly<{ state: FileState }>) {
  const current = STEP_OF[state];
  if (current === undefined) return null;
  return (
    <ol className="steps grid" aria-label={texts.steps.label}>
      {texts.steps.names.map((name, index) => (
        <li
          key={name}
          aria-current={index === current ? 'step' : undefined}
          className={index < current ? 'step-done' : undefined}
        >
          {index < current && <Icon name="succeeded" />}
          {name}
          {index < current && <span className="visually-hidden">, {texts.steps.done}</span>}
        </li>
      ))}
    </ol>
  );
}
