import { useNavigate } from '@tanstack/react-router';
import type { PayoutFile } from '../../api/payout-file-types.ts';
import { useBookApi } from '../../app/book-api.ts';
import { useInactive } from '../../app/may-act.ts';
import { useBook } from '../../app/session.ts';
import { Sums } from '../../parts/amount.tsx';
import { toast } from '../../parts/announce.tsx';
import { DangerAct } from '../../parts/danger-act.tsx';
import { sayError } from '../../parts/failure.tsx';
import { Says } from '../../parts/says.tsx';
import { files } from '../../texts/en/files.ts';
import { shell } from '../../texts/en/shell.ts';
import { ChooseFile } from '../files/choose-file.tsx';
import { outcomeOf } from '../files/file-state.tsx';
import { useUpload } from '../files/use-upload.ts';
import { useRefreshFile } from './use-file.ts';

/** A draft is replaced or discarded; a submitted file is cancelled until it is done. */
export function FileActs({ file }: Readonly<{ file: PayoutFile }>) {
  if (file.state === 'draft' || file.state === 'checking') {
    return (
      <>
        {file.failedRowsOf === null && <ReplaceAct file={file} />}
        <DiscardAct file={file} />
      </>
    );
  }
  if (file.state === 'done' || file.state === 'cancelled') return null;
  return <CancelAct file={file} />;
}

/** Uploads another file in place of the draft. Corrections of the draft are lost. */
function ReplaceAct({ file: { id } }: Readonly<{ file: PayoutFile }>) {
  const { isBusy, error, upload } = useUpload(id);
  return (
    <>
      <ChooseFile label={files.upload.replace} isBusy={isBusy} onChoose={upload} />
      {error !== undefined && (
        <span className="bad-ink small" role="alert">
          {sayError(error)}
        </span>
      )}
    </>
  );
}

function DiscardAct({ file: { id, name } }: Readonly<{ file: PayoutFile }>) {
  const texts = files.discard;
  const api = useBookApi();
  const { id: bookId, mode } = useBook();
  const navigate = useNavigate();
  const inactive = useInactive()('payouts:write');
  return (
    <DangerAct
      label={texts.act}
      inactive={inactive}
      title={texts.title}
      keepLabel={texts.keep}
      actLabel={shell.inTest(texts.button, mode)}
      onAct={async () => {
        await api({ method: 'DELETE', path: `/payout-files/${id}` });
        toast(texts.done);
        await navigate({ to: `/b/${bookId}/files` });
      }}
    >
      <Says lead={texts.lead}>
        <p className="strong break">{name}</p>
      </Says>
      <p>{texts.detail}</p>
    </DangerAct>
  );
}

function CancelAct({ file }: Readonly<{ file: PayoutFile }>) {
  const texts = files.cancel;
  const api = useBookApi();
  const { mode } = useBook();
  const refresh = useRefreshFile();
  const inactive = useInactive()('payouts:write');
  const { id, currency, sum } = file;
  const left = outcomeOf(file).payable - outcomeOf(file).ended;
  const sums = [{ currency: currency ?? '', sum }];
  return (
    <DangerAct
      label={texts.act}
      inactive={inactive}
      title={texts.title}
      keepLabel={texts.keep}
      actLabel={shell.inTest(texts.button(left), mode)}
      count={left}
      onAct={async () => {
        try {
          await api({ method: 'POST', path: `/payout-files/${id}/cancel` });
          toast(texts.done);
        } finally {
          await refresh();
        }
      }}
    >
      <Says lead={texts.lead}>
        <p className="strong">
          {texts.of(left)} {texts.ofFile} <Sums sums={sums} />
        </p>
      </Says>
      <p>{texts.detail}</p>
    </DangerAct>
  );
}
