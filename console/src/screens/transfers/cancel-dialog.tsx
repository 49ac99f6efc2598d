import { useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import type { Transfer } from '../../api/types.ts';
import { useBookApi } from '../../app/book-api.ts';
import { useBook } from '../../app/session.ts';
import { useIsConnected } from '../../app/stream.tsx';
import { formatSums, sumByCurrency } from '../../format/format-amount.ts';
import { Sums } from '../../parts/amount.tsx';
import { announce } from '../../parts/announce.tsx';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { sayError } from '../../parts/failure.tsx';
import { Says } from '../../parts/says.tsx';
import { useTypedCount } from '../../parts/typed-count.tsx';
import { Tag } from '../../parts/words.tsx';
import { transfers as texts } from '../../texts/en/transfers.ts';

type Answer = Readonly<{ kind: 'cancelled' | 'refused' | 'unknown'; message?: string }>;

type Given = Readonly<{
  /** Those of the selected that can be cancelled. */
  transfers: readonly Transfer[];
  selected: number;
  onAnswers: (cancelled: readonly Transfer[]) => void;
  onClose: () => void;
}>;

/** Cancels one by one and shows the result of each, because some may have left in the meantime. */
export function CancelDialog({ transfers, selected, onAnswers, onClose }: Given) {
  const api = useBookApi();
  const { mode } = useBook();
  const isConnected = useIsConnected();
  const typedCount = useTypedCount(transfers.length);
  const [answers, setAnswers] = useState<ReadonlyMap<string, Answer>>();
  const sums = sumByCurrency(transfers);
  const isRunning = answers !== undefined && answers.size < transfers.length;
  const run = async () => {
    const all = new Map<string, Answer>();
    const cancelled: Transfer[] = [];
    setAnswers(new Map());
    for (const { id } of transfers) {
      try {
        cancelled.push(await api<Transfer>({ method: 'POST', path: `/transfers/${id}/cancel` }));
        all.set(id, { kind: 'cancelled' });
      } catch (error) {
        const kind = error instanceof ApiError ? 'refused' : 'unknown';
        all.set(id, { kind, message: sayError(error) });
      }
      setAnswers(new Map(all));
    }
    announce(texts.cancel.done(cancelled.length, transfers.length), 'assertive');
    onAnswers(cancelled);
  };
  if (answers !== undefined) {
    return (
      <Dialog title={texts.cancel.resultTitle} onClose={onClose} isFirm={isRunning}>
        <div className="form">
          <p>{texts.cancel.running(answers.size, transfers.length)}</p>
          <ul className="answers">
            {transfers.map((transfer) => (
              <AnswerLine key={transfer.id} transfer={transfer} answer={answers.get(transfer.id)} />
            ))}
          </ul>
          <div className="actions actions-end">
            <Button kind="main" isBusy={isRunning} onClick={onClose}>
              {texts.cancel.close}
            </Button>
          </div>
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog title={texts.cancel.title(transfers.length)} onClose={onClose}>
      <div className="form">
        <Says lead={texts.cancel.lead}>
          <p className="strong">
            {texts.cancel.says(transfers.length)}
            <Sums sums={sums} />
          </p>
        </Says>
        <p>{texts.cancel.detail}</p>
        {selected > transfers.length && (
          <p className="soft">{texts.cancel.left(selected - transfers.length)}</p>
        )}
        {typedCount.field}
        <div className="actions actions-end">
          <Button onClick={onClose}>{texts.cancel.keep}</Button>
          <Button
            kind="danger"
            inactive={isConnected ? typedCount.inactive : texts.cancel.offline}
            onClick={() => void run()}
          >
            {texts.cancel.button(transfers.length, formatSums(sums))}
            {mode === 'test' && texts.cancel.test}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

function AnswerLine({
  transfer,
  answer,
}: Readonly<{ transfer: Transfer; answer: Answer | undefined }>) {
  return (
    <li>
      <span className="two">
        {transfer.recipientName ?? transfer.phone}
        <small className="id">{transfer.reference}</small>
        {answer?.message !== undefined && <small>{answer.message}</small>}
      </span>
      {answer?.kind === 'cancelled' && <Tag tone="good">{texts.cancel.cancelled}</Tag>}
      {answer?.kind === 'refused' && <Tag tone="caution">{texts.cancel.refused}</Tag>}
      {answer?.kind === 'unknown' && <Tag tone="doubt">{texts.cancel.notKnown}</Tag>}
    </li>
  );
}
