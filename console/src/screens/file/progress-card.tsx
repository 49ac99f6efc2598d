import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { send } from '../../api/call.ts';
import type { FailedRowsDraft, PayoutFile } from '../../api/payout-file-types.ts';
import { useBookApi } from '../../app/book-api.ts';
import { useInactive } from '../../app/may-act.ts';
import { useBook } from '../../app/session.ts';
import { formatCount } from '../../format/format-amount.ts';
import { toast } from '../../parts/announce.tsx';
import { Button } from '../../parts/button.tsx';
import { Card, Facts } from '../../parts/card.tsx';
import { sayError } from '../../parts/failure.tsx';
import { Meter } from '../../parts/meter.tsx';
import { Time } from '../../parts/time.tsx';
import { files } from '../../texts/en/files.ts';
import { outcomeOf } from '../files/file-state.tsx';
import { saveFile } from '../transfers/export-transfers.ts';

const texts = files.progress;
/** 50,000 rows as a workbook take some seconds. */
const RESULTS_TIMEOUT_MS = 120_000;

/** The progress of paying, or its result. Updated by the stream. */
export function ProgressCard({ file }: Readonly<{ file: PayoutFile }>) {
  const { state, counts, payAt } = file;
  const { payable, ended, underWay, waiting } = outcomeOf(file);
  if (!isTitled(state)) return null;
  const isWaiting = state === 'awaiting_approval';
  // One that waits for its first approvals has no progress.
  if (isWaiting && waiting === payable) return null;
  const facts: readonly (readonly [string, number])[] = [
    [texts.paid, counts.succeeded],
    [texts.failed, counts.failed],
    [texts.refused, counts.refused],
    [texts.cancelled, counts.cancelled],
    [texts.underWay, underWay],
    [texts.waiting, waiting],
  ];
  const shown = facts.filter(([word, count]) => count > 0 || word === texts.paid);
  return (
    <Card
      title={texts.title[state]}
      aside={texts.ended(ended, payable)}
      foot={state === 'scheduled' ? undefined : <ResultActs file={file} />}
    >
      <div className="card-pad pt-0 form">
        {isWaiting && <p>{texts.interrupted}</p>}
        {state === 'scheduled' && payAt !== null && (
          <p>
            {texts.paysAt} <Time at={payAt} />
          </p>
        )}
        <Meter used={payable === 0 ? 0 : ended / payable} label={texts.ended(ended, payable)} />
        <Facts facts={shown.map(([word, count]) => [word, formatCount(count)])} />
      </div>
    </Card>
  );
}

function isTitled(state: string): state is keyof typeof texts.title {
  return Object.hasOwn(texts.title, state);
}

function ResultActs({ file }: Readonly<{ file: PayoutFile }>) {
  const { counts, state } = file;
  const api = useBookApi();
  const { id: bookId } = useBook();
  const navigate = useNavigate();
  const inactive = useInactive()('payouts:write');
  const [busy, setBusy] = useState<'csv' | 'xlsx' | 'again'>();
  const again = counts.failed + counts.refused;
  const run = async (what: 'csv' | 'xlsx' | 'again', act: () => Promise<void>) => {
    setBusy(what);
    try {
      await act();
    } catch (error) {
      toast(sayError(error), 'bad');
    } finally {
      setBusy(undefined);
    }
  };
  const download = (format: 'csv' | 'xlsx') =>
    run(format, async () => {
      const answer = await send({
        path: `/payments/payout-files/${file.id}/results`,
        query: { format },
        bookId,
        timeoutMs: RESULTS_TIMEOUT_MS,
      });
      saveFile(await answer.blob(), `${file.name.replace(/\.\w+$/, '')} results.${format}`);
    });
  const payAgain = () =>
    run('again', async () => {
      const made = await api<FailedRowsDraft>({
        method: 'POST',
        path: `/payout-files/${file.id}/failed-rows`,
      });
      toast(texts.againDone(made.counts.rows));
      if (made.rowsLeftOut > 0) toast(texts.leftOut(made.rowsLeftOut), 'bad');
      await navigate({ to: `/b/${bookId}/files/${made.id}` });
    });
  return (
    <>
      <span className="actions">
        <Button size="sm" isBusy={busy === 'csv'} onClick={() => void download('csv')}>
          {texts.csv}
        </Button>
        <Button size="sm" isBusy={busy === 'xlsx'} onClick={() => void download('xlsx')}>
          {texts.xlsx}
        </Button>
      </span>
      {again > 0 && (state === 'done' || state === 'cancelled') && (
        <span className="push">
          <Button
            kind="main"
            size="sm"
            inactive={inactive}
            isBusy={busy === 'again'}
            onClick={() => void payAgain()}
          >
            {texts.again(again)}
          </Button>
        </span>
      )}
    </>
  );
}
