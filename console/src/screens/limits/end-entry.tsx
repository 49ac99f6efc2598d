import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ListEntry } from '../../api/control-types.ts';
import { useOptionalBook } from '../../app/session.ts';
import { formatPhone } from '../../format/format-phone.ts';
import { toast } from '../../parts/announce.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/field.tsx';
import { GuardedAct } from '../../parts/guarded-act.tsx';
import { lists } from '../../texts/en/lists.ts';
import { shell } from '../../texts/en/shell.ts';
import type { EntryHome } from './entry-home.ts';

const texts = lists.end;
const REASON_LENGTH_MAX = 500;

type Given = Readonly<{ entry: ListEntry; home: EntryHome; onClose: () => void }>;

export function EndEntry({ entry: { id, list, phone }, home, onClose }: Given) {
  const queries = useQueryClient();
  const book = useOptionalBook();
  const [reason, setReason] = useState('');
  const shown = formatPhone(phone);
  return (
    <Dialog title={texts.title(shown)} onClose={onClose}>
      <GuardedAct
        needsFactor={home.needsFactor}
        actLabel={shell.inTest(texts.act(shown), book?.mode ?? 'live')}
        keepLabel={texts.keep}
        isDanger
        inactive={reason.trim() === '' ? texts.reasonFirst : undefined}
        onKeep={onClose}
        onAct={async () => {
          await home.api({
            method: 'POST',
            path: `/lists/${id}/end`,
            body: { reason: reason.trim() },
          });
          toast(texts.done(shown));
          onClose();
          await queries.invalidateQueries({ queryKey: home.key('lists') });
        }}
      >
        <p>{texts.detail[list]}</p>
        <TextField
          label={texts.reason}
          maxLength={REASON_LENGTH_MAX}
          value={reason}
          onChange={setReason}
        />
      </GuardedAct>
    </Dialog>
  );
}
