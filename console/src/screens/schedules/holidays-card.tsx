import type { CalendarDay } from '../../api/schedule-types.ts';
import { Card } from '../../parts/card.tsx';
import { schedules } from '../../texts/en/schedules.ts';
import { sayDay } from './say-recurrence.ts';

const texts = schedules.holidays;

/** The holidays of the month, with who entered them. */
export function HolidaysCard({ days }: Readonly<{ days: readonly CalendarDay[] }>) {
  const holidays = days.flatMap((day) => day.holidays);
  return (
    <Card title={texts.title} isPadded>
      {holidays.length === 0 && <p className="soft">{texts.none}</p>}
      <ul className="calendar-items">
        {holidays.map(({ day, name, source, enteredBy }) => (
          <li key={day}>
            <span className="two">
              <span>
                <time dateTime={day}>{sayDay(day)}</time> <b>{name}</b>
              </span>
              <small>{texts.by(source, enteredBy)}</small>
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
