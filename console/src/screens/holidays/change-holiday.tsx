import { useState } from 'react';
import { COUNTRIES } from '../../../../service/src/domain/operator.ts';
import {
  HOLIDAY_NAME_LENGTH_MAX,
  HOLIDAY_SOURCE_LENGTH_MAX,
} from '../../../../service/src/holidays/holiday.ts';
import { ApiError } from '../../api/api-error.ts';
import type { Holiday } from '../../api/schedule-types.ts';
import { useStaffAct } from '../../app/staff-api.ts';
import { formatCountry } from '../../format/format-operator.ts';
import { toast } from '../../parts/announce.tsx';
import { SelectField, TextField } from '../../parts/field.tsx';
import { holidays as texts } from '../../texts/en/holidays.ts';
import { sayLongDay } from '../schedules/say-recurrence.ts';
import { ActDialog } from '../staff/act-dialog.tsx';

export function EnterHoliday({
  country: begin,
  onClose,
}: Readonly<{ country: string; onClose: () => void }>) {
  const act = useStaffAct();
  const [holiday, setHoliday] = useState({ country: begin, day: '', name: '', source: '' });
  const [problem, setProblem] = useState<string>();
  const set = (change: Partial<typeof holiday>) => {
    setProblem(undefined);
    setHoliday({ ...holiday, ...change });
  };
  const { country, day, name, source } = holiday;
  const isWhole = day !== '' && name.trim() !== '' && source.trim() !== '';
  return (
    <ActDialog
      title={texts.enterTitle}
      actLabel={texts.enterAct}
      needsStepUp
      inactive={isWhole ? undefined : texts.missing}
      onClose={onClose}
      onAct={async () => {
        try {
          const body = { country, day, name: name.trim(), source: source.trim() };
          await act({ path: '/holidays', body });
        } catch (error) {
          if (error instanceof ApiError) setProblem(error.problemOf('day'));
          throw error;
        }
        toast(texts.entered(name.trim()));
      }}
    >
      <SelectField
        label={texts.country}
        value={country}
        options={COUNTRIES.map((one) => ({ value: one, label: formatCountry(one) }))}
        onChange={(value) => set({ country: value })}
      />
      <TextField
        label={texts.day}
        type="date"
        problem={problem}
        value={day}
        onChange={(value) => set({ day: value })}
      />
      <TextField
        label={texts.name}
        help={texts.nameHelp}
        maxLength={HOLIDAY_NAME_LENGTH_MAX}
        autoComplete="off"
        value={name}
        onChange={(value) => set({ name: value })}
      />
      <TextField
        label={texts.source}
        help={texts.sourceHelp}
        maxLength={HOLIDAY_SOURCE_LENGTH_MAX}
        autoComplete="off"
        value={source}
        onChange={(value) => set({ source: value })}
      />
    </ActDialog>
  );
}

export function RemoveHoliday({
  holiday,
  onClose,
}: Readonly<{ holiday: Holiday; onClose: () => void }>) {
  const act = useStaffAct();
  const { country, day, name } = holiday;
  return (
    <ActDialog
      title={texts.removeTitle(name)}
      actLabel={texts.removeAct(name)}
      keepLabel={texts.keep}
      isDanger
      needsStepUp
      onClose={onClose}
      onAct={async () => {
        await act({ method: 'DELETE', path: `/holidays/${country}/${day}` });
        toast(texts.removed(name));
      }}
    >
      <p>{texts.removeDetail(sayLongDay(day))}</p>
    </ActDialog>
  );
}
