import { type ReactNode, useState } from 'react';
import {
  DURATION_UNITS,
  type DurationUnit,
  makeDuration,
  splitDuration,
} from '../../format/iso-duration.ts';
import { SelectField, TextField } from '../../parts/field.tsx';
import { policy as texts } from '../../texts/en/policy.ts';

const form = texts.form;

type Windowed = Readonly<{ by: string; day?: true; window?: string }>;

export function WindowFields({
  value: { by, day, window },
  onChange,
  children,
}: Readonly<{ value: Windowed; onChange: (value: Windowed) => void; children: ReactNode }>) {
  const isDay = day === true;
  return (
    <>
      <div className="form-row">
        {children}
        <SelectField
          label={form.by}
          value={by}
          onChange={(next) =>
            onChange({ by: next, ...(isDay ? { day } : { window: window ?? '' }) })
          }
          options={Object.entries(texts.subjects).map(([value, label]) => ({ value, label }))}
        />
      </div>
      <div className="form-row">
        <SelectField
          label={form.window}
          value={isDay ? 'day' : 'window'}
          onChange={(kind) =>
            onChange({ by, ...(kind === 'day' ? { day: true as const } : { window: 'PT1H' }) })
          }
          options={[
            { value: 'day', label: form.windowDay },
            { value: 'window', label: form.windowSliding },
          ]}
        />
        {!isDay && (
          <DurationFields
            label={form.windowLength}
            value={window ?? ''}
            onChange={(next) => onChange({ by, window: next })}
          />
        )}
      </div>
    </>
  );
}

type Typed = Readonly<{ count: string; unit: DurationUnit }>;

/** A number and its unit. Both stay as they were typed: 48 hours do not become 2 days under the hand. */
export function DurationFields({
  label,
  value,
  onChange,
}: Readonly<{ label: string; value: string; onChange: (value: string) => void }>) {
  const [typed, setTyped] = useState<Typed>(() => {
    const { count, unit } = splitDuration(value) ?? { count: '', unit: 'hours' as const };
    return { count: String(count), unit };
  });
  const type = (next: Typed) => {
    setTyped(next);
    onChange(makeDuration(Number(next.count), next.unit));
  };
  return (
    <div className="duration-row">
      <TextField
        label={label}
        inputMode="numeric"
        value={typed.count}
        onChange={(text) => type({ ...typed, count: text.replace(/\D/g, '') })}
      />
      <SelectField
        label={form.unit}
        value={typed.unit}
        onChange={(unit) => type({ ...typed, unit: unit as DurationUnit })}
        options={DURATION_UNITS.map((one) => ({ value: one.unit, label: one.other }))}
      />
    </div>
  );
}
