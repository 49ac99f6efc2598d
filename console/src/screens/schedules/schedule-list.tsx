import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { MadeOccurrence, OccurrenceDate, Schedule } from '../../api/schedule-types.ts';
import { useInactive } from '../../app/may-act.ts';
import { useBook } from '../../app/session.ts';
import { Amount } from '../../parts/amount.tsx';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Note } from '../../parts/note.tsx';
import { Paging } from '../../parts/table-strip.tsx';
import { Time } from '../../parts/time.tsx';
import { Tag } from '../../parts/words.tsx';
import { schedules } from '../../texts/en/schedules.ts';
import { sayDay, sayRecurrence } from './say-recurrence.ts';
import { ScheduleForm } from './schedule-form.tsx';
import { ScheduleQuestion, type Step } from './schedule-question.tsx';

const texts = schedules.list;

type Asked = Readonly<{ schedule: Schedule; step: Step | 'change' }>;

type Given = Readonly<{
  schedules: readonly Schedule[];
  asOf: number;
  onOlder: (() => void) | undefined;
  onNewer: (() => void) | undefined;
}>;

/** Those of one page that have not ended, or left a draft, each with its next five times. */
export function ScheduleList({ schedules: all, asOf, onOlder, onNewer }: Given) {
  const [asked, setAsked] = useState<Asked>();
  const close = () => setAsked(undefined);
  const shown = all.filter(({ state, refused }) => state !== 'ended' || refused !== null);
  const ended = all.length - shown.length;
  const hasPages = onOlder !== undefined || onNewer !== undefined;
  return (
    <Card title={texts.title}>
      {shown.length === 0 && !hasPages ? (
        <Empty icon="calendar" title={texts.empty}>
          {texts.emptyDetail}
        </Empty>
      ) : shown.length === 0 ? null : (
        <ul className="schedule-list">
          {shown.map((schedule) => (
            <li key={schedule.id} className="card-pad">
              <ScheduleItem schedule={schedule} onAsk={(step) => setAsked({ schedule, step })} />
            </li>
          ))}
        </ul>
      )}
      {ended > 0 && (
        <p className="card-pad faint small">
          {hasPages ? texts.endedHere(ended) : texts.ended(ended)}
        </p>
      )}
      {hasPages && <Paging summary={texts.order} asOf={asOf} onOlder={onOlder} onNewer={onNewer} />}
      {asked?.step === 'change' && <ScheduleForm schedule={asked.schedule} onClose={close} />}
      {asked !== undefined && asked.step !== 'change' && (
        <ScheduleQuestion schedule={asked.schedule} step={asked.step} onClose={close} />
      )}
    </Card>
  );
}

type ItemGiven = Readonly<{ schedule: Schedule; onAsk: (step: Step | 'change') => void }>;

function ScheduleItem({ schedule, onAsk }: ItemGiven) {
  const { name, state, payouts, sum, currency, recurrence, next, last, refused, madeBy } = schedule;
  return (
    <article className="stack-s" aria-label={name}>
      <div className="schedule-head">
        <h3>{name}</h3>
        <Tag tone={state === 'active' ? 'good' : 'caution'}>{texts.states[state]}</Tag>
      </div>
      <p>
        {schedules.payouts(payouts)}, <Amount currency={currency} amount={sum} />
      </p>
      <p className="soft small">
        {sayRecurrence(recurrence)} · {texts.madeBy(madeBy.name)}
      </p>
      {next.length > 0 && <NextDates dates={next} />}
      {refused !== null && <Refused made={refused} />}
      {last !== null && last.period !== refused?.period && <LastMade last={last} />}
      {state !== 'ended' && <ScheduleActs state={state} onAsk={onAsk} />}
    </article>
  );
}

type ActsGiven = Readonly<{ state: 'active' | 'paused'; onAsk: ItemGiven['onAsk'] }>;

function ScheduleActs({ state, onAsk }: ActsGiven) {
  const inactive = useInactive()('payouts:write');
  const steps = state === 'active' ? (['pause', 'end'] as const) : (['resume', 'end'] as const);
  return (
    <div className="actions">
      <Button size="sm" inactive={inactive} onClick={() => onAsk('change')}>
        {schedules.acts.change}
      </Button>
      {steps.map((step) => (
        <Button
          key={step}
          size="sm"
          {...(step === 'end' ? { kind: 'danger' as const } : {})}
          inactive={inactive}
          onClick={() => onAsk(step)}
        >
          {schedules.acts[step]}
        </Button>
      ))}
    </div>
  );
}

function NextDates({ dates }: Readonly<{ dates: readonly OccurrenceDate[] }>) {
  return (
    <>
      <p className="small strong">{texts.next}</p>
      <ol className="schedule-dates small">
        {dates.map(({ period, ruleDay, payDay, payAt }) => (
          <li key={period}>
            <time dateTime={payAt}>{sayDay(payDay)}</time>
            {payDay !== ruleDay && <span className="faint"> {texts.moved(sayDay(ruleDay))}</span>}
          </li>
        ))}
      </ol>
    </>
  );
}

/** Its payout file is a draft until a person has submitted it. */
function Refused({ made: { period, refusal, payoutFileId } }: Readonly<{ made: MadeOccurrence }>) {
  const { id } = useBook();
  return (
    <Note tone="bad">
      {texts.last.refused(period, refusal?.message ?? '')}{' '}
      <Link to={`/b/${id}/files/${payoutFileId}`}>{texts.last.open}</Link>
    </Note>
  );
}

function LastMade({ last }: Readonly<{ last: MadeOccurrence }>) {
  const { period, state, refusal, waitsBecause, payAt } = last;
  // Its file was deleted.
  if (state === 'refused') {
    return <p className="small">{texts.last.refused(period, refusal?.message ?? '')}</p>;
  }
  return (
    <p className="small">
      {texts.last[state](period)} <Time at={payAt} />
      {waitsBecause !== null && ` ${texts.last[waitsBecause]}`}
    </p>
  );
}
