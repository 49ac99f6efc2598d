import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Webhook } from '../../api/developer-types.ts';
import { useBookApi } from '../../app/book-api.ts';
import { usePreferences } from '../../app/preferences.ts';
import { useBook, useBookKey } from '../../app/session.ts';
import { instantOf } from '../../format/zoned-time.ts';
import { toast } from '../../parts/announce.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { SegmentField, TextField } from '../../parts/field.tsx';
import { GuardedAct } from '../../parts/guarded-act.tsx';
import { Says } from '../../parts/says.tsx';
import { shell } from '../../texts/en/shell.ts';
import { webhooks } from '../../texts/en/webhooks.ts';

const texts = webhooks.replay;

/** One call sends at most 10,000 again; more than this many calls are left to the reader. */
const CALLS_MAX = 20;

type Answer = Readonly<{ replayed: number; nextFrom: string | null }>;

export function ReplayMany({
  webhook,
  onClose,
}: Readonly<{ webhook: Webhook; onClose: () => void }>) {
  const api = useBookApi();
  const key = useBookKey();
  const { mode } = useBook();
  const { timeZone } = usePreferences();
  const queries = useQueryClient();
  const [which, setWhich] = useState('failed');
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const send = async () => {
    let next = instantOf(from, timeZone)?.toISOString();
    let count = 0;
    for (let calls = 0; calls < CALLS_MAX; calls += 1) {
      const { replayed, nextFrom } = await api<Answer>({
        method: 'POST',
        path: `/webhooks/${webhook.id}/replay`,
        body: {
          from: next ?? null,
          to: instantOf(to, timeZone)?.toISOString() ?? null,
          state: which === 'failed' ? 'failed' : null,
        },
      });
      count += replayed;
      if (nextFrom === null) break;
      next = nextFrom;
    }
    toast(texts.done(count), 'info');
    onClose();
    await queries.invalidateQueries({ queryKey: key('webhooks') });
  };
  return (
    <Dialog title={texts.title} onClose={onClose}>
      <GuardedAct
        needsFactor={false}
        actLabel={shell.inTest(texts.act, mode)}
        keepLabel={texts.keep}
        inactive={which === 'all' && from === '' ? texts.needsPeriod : undefined}
        onKeep={onClose}
        onAct={send}
      >
        <p className="soft">{texts.detail}</p>
        <SegmentField
          label={texts.which}
          value={which}
          onChange={setWhich}
          options={[
            { value: 'failed', label: texts.failed },
            { value: 'all', label: texts.all },
          ]}
        />
        <div className="form-row">
          <TextField
            label={texts.from}
            isOptional={which === 'failed'}
            type="datetime-local"
            value={from}
            onChange={setFrom}
          />
          <TextField
            label={texts.to}
            isOptional
            type="datetime-local"
            value={to}
            onChange={setTo}
          />
        </div>
        <Says lead={texts.says}>
          <p>
            <b>{which === 'failed' ? texts.saysFailed : texts.saysAll}</b>
          </p>
          <p className="small break">{webhook.url}</p>
        </Says>
      </GuardedAct>
    </Dialog>
  );
}
