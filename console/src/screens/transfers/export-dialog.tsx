import { useEffect, useRef, useState } from 'react';
import { usePreferences } from '../../app/preferences.ts';
import { useBook } from '../../app/session.ts';
import { dayOf } from '../../format/day-start.ts';
import { toast } from '../../parts/announce.tsx';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Refused } from '../../parts/failure.tsx';
import { shell } from '../../texts/en/shell.ts';
import { transfers as texts } from '../../texts/en/transfers.ts';
import { exportTransfers, saveFile } from './export-transfers.ts';

type Given = Readonly<{
  /** What is exported, in words. */
  says: string;
  questions: () => readonly Readonly<Record<string, string>>[];
  onClose: () => void;
}>;

/** Closing it stops the export: nothing is saved then. */
export function ExportDialog({ says, questions, onClose }: Given) {
  const { id: bookId, mode } = useBook();
  const { timeZone } = usePreferences();
  const [rows, setRows] = useState<number>();
  const [error, setError] = useState<unknown>();
  const stop = useRef(new AbortController());
  useEffect(() => () => stop.current.abort(), []);
  const run = async () => {
    stop.current = new AbortController();
    const { signal } = stop.current;
    setError(undefined);
    setRows(0);
    let count = 0;
    try {
      const file = await exportTransfers({
        bookId,
        questions: questions(),
        signal,
        onRows: (now) => {
          count = now;
          setRows(now);
        },
      });
      saveFile(file, `transfers-${mode}-${dayOf(new Date(), timeZone)}.csv`);
      toast(texts.export.done(count));
      onClose();
    } catch (refusal) {
      if (signal.aborted) return;
      setRows(undefined);
      setError(refusal);
    }
  };
  return (
    <Dialog title={texts.export.title} onClose={onClose}>
      <div className="form">
        <p>{says}</p>
        <p className="help">{texts.export.detail}</p>
        {error !== undefined && <Refused error={error} />}
        {rows !== undefined && (
          <div role="status">
            <p>{texts.export.running(rows)}</p>
            <progress className="progress" aria-label={texts.export.title} />
          </div>
        )}
        <div className="actions actions-end">
          <Button onClick={onClose}>{rows === undefined ? shell.cancel : texts.export.stop}</Button>
          <Button
            kind="main"
            icon="export"
            className="dialog-first"
            isBusy={rows !== undefined}
            onClick={() => void run()}
          >
            {texts.export.start}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
