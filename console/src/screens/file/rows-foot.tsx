import { useState } from 'react';
import type { PayoutFile } from '../../api/payout-file-types.ts';
import { useBookApi } from '../../app/book-api.ts';
import { useInactive } from '../../app/may-act.ts';
import { useBook } from '../../app/session.ts';
import { toast } from '../../parts/announce.tsx';
import { Button } from '../../parts/button.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { sayError } from '../../parts/failure.tsx';
import { Says } from '../../parts/says.tsx';
import { files } from '../../texts/en/files.ts';
import { shell } from '../../texts/en/shell.ts';
import { useRefreshFile } from './use-file.ts';

const texts = files.table;

type Given = Readonly<{ file: PayoutFile; onDropped: () => void }>;

/** What can be done about all rows of a draft. */
export function RowsFoot({ file, onDropped }: Given) {
  const { id, state, counts, names } = file;
  const { mode } = useBook();
  const api = useBookApi();
  const refresh = useRefreshFile();
  const inactive = useInactive()('payouts:write');
  const [isDropping, setDropping] = useState(false);
  const [isAsking, setAsking] = useState(false);
  if (state !== 'draft') return null;
  const checkNames = async () => {
    setAsking(true);
    try {
      await api({ method: 'POST', path: `/payout-files/${id}/check-names` });
      toast(texts.namesAsked);
    } catch (error) {
      toast(sayError(error), 'bad');
    } finally {
      await refresh();
      setAsking(false);
    }
  };
  return (
    <div className="card-foot">
      <Button
        size="sm"
        isBusy={isAsking}
        inactive={inactive ?? (names.state === 'asking' ? texts.namesAsked : undefined)}
        onClick={() => void checkNames()}
      >
        {texts.checkNames}
      </Button>
      {counts.problems > 0 && (
        <span className="push">
          <Button size="sm" inactive={inactive} onClick={() => setDropping(true)}>
            {texts.dropAll(counts.problems)}
          </Button>
        </span>
      )}
      {isDropping && (
        <Confirm
          title={texts.dropAllTitle}
          actLabel={shell.inTest(texts.dropAllButton(counts.problems), mode)}
          onClose={() => setDropping(false)}
          onAct={async () => {
            const { dropped } = await api<{ dropped: number }>({
              method: 'POST',
              path: `/payout-files/${id}/drop-problems`,
            });
            toast(texts.dropAllDone(dropped));
            await refresh();
            onDropped();
          }}
        >
          <Says lead={texts.dropAllLead}>
            <p className="strong">{files.rows(counts.problems)}</p>
          </Says>
          <p>{texts.dropAllDetail}</p>
        </Confirm>
      )}
    </div>
  );
}
