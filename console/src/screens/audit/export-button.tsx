import { useState } from 'react';
import { useKeys } from '../../app/keyboard.tsx';
import { callStaff, useInactive } from '../../app/staff-api.ts';
import { toast } from '../../parts/announce.tsx';
import { Button } from '../../parts/button.tsx';
import { sayError } from '../../parts/failure.tsx';
import { audit } from '../../texts/en/audit.ts';
import { saveFile } from '../transfers/export-transfers.ts';
import { exportActs } from './export-acts.ts';

const texts = audit.export;

type Given = Readonly<{ query: Readonly<Record<string, string>>; isEmpty: boolean }>;

/** Exports what the filters leave. */
export function ExportButton({ query, isEmpty }: Given) {
  const inactive = useInactive();
  const [rows, setRows] = useState<number>();
  const run = async () => {
    setRows(0);
    try {
      const exported = await exportActs({
        read: (page) => callStaff({ path: '/audit', query: page }),
        query,
        onRows: setRows,
      });
      if ('missing' in exported) {
        toast(texts.missing(exported.missing), 'bad');
        return;
      }
      const { csv, rows: all, isWhole } = exported;
      saveFile(new Blob([csv], { type: 'text/csv' }), texts.file);
      if (isWhole) toast(texts.done(all));
      else toast(texts.bounded(all), 'info');
    } catch (error) {
      toast(sayError(error), 'bad');
    } finally {
      setRows(undefined);
    }
  };
  useKeys(isEmpty ? [] : [{ keys: 'e', label: texts.act, act: () => void run() }]);
  return (
    <Button
      icon="export"
      isBusy={rows !== undefined}
      inactive={inactive('audit:read') ?? (isEmpty ? audit.empty : undefined)}
      onClick={() => void run()}
    >
      {rows === undefined ? texts.act : texts.busy(rows)}
    </Button>
  );
}
