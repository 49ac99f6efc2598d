import { Link } from '@tanstack/react-router';
import type { Calendar, CalendarItem } from '../../api/schedule-types.ts';
import { useBook } from '../../app/session.ts';
import { Amount } from '../../parts/amount.tsx';
import { Card } from '../../parts/card.tsx';
import { Time } from '../../parts/time.tsx';
import { Tag } from '../../parts/words.tsx';
import { schedules } from '../../texts/en/schedules.ts';
import { sayLongDay } from './say-recurrence.ts';

const texts = schedules.day;

type Given = Readonly<{ calendar: Calendar; chosen: string | undefined; today: string }>;

/** What is paid on one day: the chosen one, else the next that has anything. */
export function DayCard({ calendar: { days }, chosen, today }: Given) {
  const day =
    days.find(({ date }) => date === chosen) ??
    days.find(({ date, items }) => date >= today && items.length > 0);
  if (day === undefined) return null;
  return (
    <Card title={sayLongDay(day.date)} isPadded>
      {day.holidays.map(({ name }) => (
        <p key={name}>
          <Tag tone="caution">{name}</Tag>
        </p>
      ))}
      {day.items.length === 0 && <p className="soft">{texts.nothing}</p>}
      <ul className="calendar-items">
        {day.items.map((item) => (
          <li
            key={`${item.kind} ${item.payoutFileId ?? item.scheduleId ?? item.currency} ${item.at}`}
          >
            <Item item={item} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Item({ item }: Readonly<{ item: CalendarItem }>) {
  const { kind, at, count, sum, currency, state, refusal } = item;
  return (
    <>
      <span className="two">
        <ItemName item={item} />
        <small>
          <Time at={at} />
          {kind !== 'transfers' && ` · ${schedules.payouts(count)}`}
          {kind === 'schedule' && state === null && ` · ${texts.notMade}`}
          {state !== null && ` · ${state.replaceAll('_', ' ')}`}
        </small>
        {refusal !== null && <small>{texts.refused(refusal.message)}</small>}
      </span>
      <Amount currency={currency} amount={sum} />
    </>
  );
}

function ItemName({ item }: Readonly<{ item: CalendarItem }>) {
  const { kind, name, count, payoutFileId } = item;
  const { id } = useBook();
  if (payoutFileId !== null) {
    return (
      <Link to={`/b/${id}/files/${payoutFileId}`} className="row-link">
        {name}
      </Link>
    );
  }
  if (kind !== 'transfers') return <b>{name}</b>;
  return (
    <Link to={`/b/${id}/transfers`} search={{ state: 'scheduled' }} className="row-link">
      {texts.transfers(count)}
    </Link>
  );
}
