import { useQueryClient } from '@tanstack/react-query';
import type { Schedule } from '../../api/schedule-types.ts';
import { useBookApi } from '../../app/book-api.ts';
import { useBook, useBookKey } from '../../app/session.ts';
import { Amount } from '../../parts/amount.tsx';
import { toast } from '../../parts/announce.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { GuardedAct } from '../../parts/guarded-act.tsx';
import { Says } from '../../parts/says.tsx';
import { schedules } from '../../texts/en/schedules.ts';
import { shell } from '../../texts/en/shell.ts';
import { sayRecurrence } from './say-recurrence.ts';

const texts = schedules.ask;

export type Step = 'pause' | 'resume' | 'end';

type Given = Readonly<{ schedule: Schedule; step: Step; onClose: () => void }>;

/** Pauses, resumes or ends a schedule. */
export function ScheduleQuestion({ schedule, step, onClose }: Given) {
  const api = useBookApi();
  const key = useBookKey();
  const { mode } = useBook();
  const queries = useQueryClient();
  const { id, name, payouts, sum, currency, recurrence } = schedule;
  return (
    <Dialog title={texts.title[step](name)} onClose={onClose}>
      <GuardedAct
        needsFactor={false}
        actLabel={shell.inTest(texts.act[step](name), mode)}
        keepLabel={texts.keep}
        isDanger={step === 'end'}
        onKeep={onClose}
        onAct={async () => {
          await api({ method: 'POST', path: `/schedules/${id}/${step}`, body: {} });
          toast(texts.done[step](name));
          onClose();
          await queries.invalidateQueries({ queryKey: key('schedules') });
          await queries.invalidateQueries({ queryKey: key('calendar') });
        }}
      >
        <Says lead={texts.lead[step]}>
          <p className="strong">
            {schedules.payouts(payouts)}, <Amount currency={currency} amount={sum} /> {texts.each}
          </p>
          <p className="small">{sayRecurrence(recurrence)}</p>
        </Says>
        <p className="soft">{texts.detail[step]}</p>
      </GuardedAct>
    </Dialog>
  );
}
