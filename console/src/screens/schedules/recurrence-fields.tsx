import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { WEEKDAYS } from '../../../../service/src/domain/recurrence.ts';
import type { OccurrenceDate } from '../../api/schedule-types.ts';
import { useBookApi } from '../../app/book-api.ts';
import { useBookKey } from '../../app/session.ts';
import { SegmentField, SelectField, TextField } from '../../parts/field.tsx';
import { schedules } from '../../texts/en/schedules.ts';
import { sayDay } from './say-recurrence.ts';
import type { ScheduleDraft } from './schedule-draft.ts';

const texts = schedules.form;
/** Every month has as many. */
const DAYS_OF_ALL_MONTHS = 28;

type Given = Readonly<{
  draft: ScheduleDraft;
  country: string;
  onChange: (change: Partial<ScheduleDraft>) => void;
}>;

export function RecurrenceFields({ draft, country, onChange }: Given) {
  return (
    <>
      <SegmentField
        label={texts.every}
        value={draft.every}
        options={[
          { value: 'month', label: texts.month },
          { value: 'week', label: texts.week },
        ]}
        onChange={(every) =>
          onChange({ every, day: every === 'week' ? 'fri' : 'last_working_day' })
        }
      />
      <div className="form-row">
        <SelectField
          label={texts.day}
          value={draft.day}
          options={draft.every === 'week' ? WEEK_OPTIONS : MONTH_OPTIONS}
          onChange={(day) => onChange({ day })}
        />
        <TextField
          label={texts.at}
          type="time"
          required
          help={texts.atHelp}
          value={draft.at}
          onChange={(at) => onChange({ at })}
        />
      </div>
      <SelectField
        label={draft.every === 'week' ? texts.ifHoliday.week : texts.ifHoliday.month}
        value={draft.ifHoliday}
        options={[
          { value: 'before', label: texts.before },
          { value: 'after', label: texts.after },
          { value: 'same', label: texts.same },
        ]}
        onChange={(ifHoliday) => onChange({ ifHoliday })}
      />
      <Preview draft={draft} country={country} />
    </>
  );
}

const WEEK_OPTIONS = WEEKDAYS.map((day) => ({ value: day, label: schedules.weekdays[day] }));
const MONTH_OPTIONS = [
  { value: 'last_working_day', label: texts.dayLastWorking },
  { value: 'last', label: texts.dayLast },
  ...Array.from({ length: 31 }, (_, index) => ({
    value: String(index + 1),
    label: (index < DAYS_OF_ALL_MONTHS ? texts.dayNumber : texts.dayShort)(index + 1),
  })),
];

/** The next five times of what is chosen, before anything is stored. */
function Preview({ draft, country }: Omit<Given, 'onChange'>) {
  const api = useBookApi();
  const key = useBookKey();
  const { every, day, at, ifHoliday } = draft;
  const query = { country, every, day, at, ifHoliday };
  const found = useQuery({
    queryKey: key('schedule-dates', query),
    queryFn: ({ signal }) =>
      api<{ items: readonly OccurrenceDate[] }>({ path: '/schedules/dates', query, signal }),
    enabled: country !== '' && at !== '',
    placeholderData: keepPreviousData,
  });
  return (
    <p className="help" role="status">
      {found.data !== undefined &&
        `${texts.dates} ${found.data.items.map(({ payDay }) => sayDay(payDay)).join(' · ')}`}
    </p>
  );
}
