import { Link, useNavigate } from '@tanstack/react-router';
import { COUNTRIES } from '../../../../service/src/domain/operator.ts';
import type { Calendar, CalendarDay } from '../../api/schedule-types.ts';
import { formatCount, formatSums } from '../../format/format-amount.ts';
import { formatCountry } from '../../format/format-operator.ts';
import { Sums } from '../../parts/amount.tsx';
import { SelectField } from '../../parts/field.tsx';
import { Icon } from '../../parts/icon.tsx';
import { schedules } from '../../texts/en/schedules.ts';
import { addMonths, sayLongDay, sayMonth } from './say-recurrence.ts';

const texts = schedules.calendar;
const WEEK = Object.values(schedules.weekdays);

type Given = Readonly<{ calendar: Calendar; today: string; chosen: string | undefined }>;

/** One month, weeks from Monday. A day is a link that shows what is paid on it. */
export function MonthCalendar({ calendar, today, chosen }: Given) {
  const { month, country, days } = calendar;
  const navigate = useNavigate();
  return (
    <section className="card" aria-labelledby="calendar-month">
      <div className="card-head calendar-head">
        <h2 id="calendar-month" aria-live="polite">
          {sayMonth(month)}
        </h2>
        <nav className="actions" aria-label={sayMonth(month)}>
          <MonthLink month={addMonths(month, -1)} label={texts.previous} icon="left" />
          <MonthLink month={addMonths(month, 1)} label={texts.next} icon="right" />
          <Link
            to="."
            search={(now: object) => ({ ...now, month: undefined, day: undefined }) as never}
            className="btn btn-sm"
          >
            {texts.today}
          </Link>
        </nav>
        <SelectField
          label={texts.country}
          value={country}
          options={COUNTRIES.map((one) => ({ value: one, label: formatCountry(one) }))}
          onChange={(value) =>
            void navigate({
              to: '.',
              search: (now: object) => ({ ...now, country: value }) as never,
            })
          }
        />
      </div>
      <table className="calendar">
        <caption className="visually-hidden">{sayMonth(month)}</caption>
        <thead>
          <tr>
            {WEEK.map((day) => (
              <th key={day} scope="col">
                <abbr title={day}>{day.slice(0, 3)}</abbr>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeksOf(days).map((week) => (
            <tr key={week.find((day) => day !== null)?.date}>
              {week.map((day, index) =>
                day === null ? (
                  <td key={index} className="calendar-none" />
                ) : (
                  <DayCell key={day.date} day={day} today={today} chosen={chosen} />
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

type LinkGiven = Readonly<{ month: string; label: string; icon: 'left' | 'right' }>;

function MonthLink({ month, label, icon }: LinkGiven) {
  return (
    <Link
      to="."
      search={(now: object) => ({ ...now, month, day: undefined }) as never}
      className="btn btn-sm"
      aria-label={label}
      title={label}
    >
      <Icon name={icon} />
    </Link>
  );
}

type CellGiven = Readonly<{ day: CalendarDay; today: string; chosen: string | undefined }>;

function DayCell({ day, today, chosen }: CellGiven) {
  const { date, count, sums, holidays } = day;
  const classes = [
    'calendar-day',
    date === today ? 'calendar-today' : '',
    date < today ? 'calendar-past' : '',
    holidays.length > 0 ? 'calendar-holiday' : '',
  ];
  const parts = [
    ...(count === 0 ? [texts.nothing] : [schedules.payouts(count), formatSums(sums)]),
    ...holidays.map(({ name }) => texts.isHoliday(name)),
  ];
  return (
    <td>
      <Link
        to="."
        search={(now: object) => ({ ...now, day: date, month: undefined }) as never}
        className={classes.join(' ').trim()}
        aria-current={date === chosen ? 'date' : undefined}
      >
        <span className="visually-hidden">{texts.day(sayLongDay(date), parts)}</span>
        <span aria-hidden="true" className="calendar-number">
          {Number(date.slice(8))}
        </span>
        {count > 0 && (
          <span aria-hidden="true">
            <span className="calendar-count">
              {formatCount(count)} <span className="calendar-unit">{schedules.unit(count)}</span>
            </span>
            <span className="calendar-sum">
              <Sums sums={sums} />
            </span>
          </span>
        )}
        {holidays.map(({ name }) => (
          <span key={name} aria-hidden="true" className="calendar-name">
            {name}
          </span>
        ))}
      </Link>
    </td>
  );
}

/** Seven cells each, null before the first day and after the last. */
function weeksOf(days: readonly CalendarDay[]): readonly (readonly (CalendarDay | null)[])[] {
  const first = new Date(`${days[0]?.date ?? ''}T00:00Z`).getUTCDay();
  const before = Array.from({ length: (first + 6) % 7 }, () => null);
  const cells = [...before, ...days];
  const weeks = Array.from({ length: Math.ceil(cells.length / 7) }, (_, week) =>
    Array.from({ length: 7 }, (__, day) => cells[week * 7 + day] ?? null),
  );
  return weeks;
}
