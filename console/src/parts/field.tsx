import { type InputHTMLAttributes, type ReactNode, type SelectHTMLAttributes, useId } from 'react';
import { shell } from '../texts/en/shell.ts';
import { useWatchedDate } from './half-typed.tsx';
import { Icon } from './icon.tsx';

type Common = Readonly<{
  label: string;
  help?: ReactNode;
  /** What is wrong with it, in words. */
  problem?: string | undefined;
  isOptional?: boolean;
}>;

/** The frame of every field: label above, help and problem below, tied to the control for screen readers. */
function Field({
  label,
  help,
  problem,
  isOptional = false,
  children,
}: Common &
  Readonly<{
    children: (control: {
      id: string;
      'aria-describedby'?: string;
      'aria-invalid'?: true;
    }) => ReactNode;
  }>) {
  const id = useId();
  const described = [
    ...(problem === undefined ? [] : [`${id}-problem`]),
    ...(help === undefined ? [] : [`${id}-help`]),
  ].join(' ');
  return (
    <div className="field">
      <label htmlFor={id}>
        {label}
        {isOptional && <span className="opt"> {shell.optional}</span>}
      </label>
      {children({
        id,
        ...(described === '' ? {} : { 'aria-describedby': described }),
        ...(problem === undefined ? {} : { 'aria-invalid': true as const }),
      })}
      {problem !== undefined && (
        <p className="problem" id={`${id}-problem`}>
          <Icon name="failed" />
          {problem}
        </p>
      )}
      {help !== undefined && (
        <p className="help" id={`${id}-help`}>
          {help}
        </p>
      )}
    </div>
  );
}

type TextGiven = Common &
  Readonly<{ value: string; onChange: (value: string) => void; className?: string }> &
  Omit<InputHTMLAttributes<HTMLInputElement>, 'value' | 'onChange' | 'className'>;

/** Years of four digits, for which the browser makes room. */
const LATEST: Readonly<Record<string, string | undefined>> = {
  date: '9999-12-31',
  'datetime-local': '9999-12-31T23:59',
  time: '23:59',
};

/**
 * Also for dates and times: `type="date"` and `type="datetime-local"` bring the system's own picker. One that is half
 * typed is a problem, and makes the buttons of its dialog or page inactive.
 */
export function TextField({
  label,
  help,
  problem,
  isOptional,
  value,
  onChange,
  className,
  ...rest
}: TextGiven) {
  const date = useWatchedDate();
  const latest = LATEST[rest.type ?? ''];
  const watched: InputHTMLAttributes<HTMLInputElement> = {
    max: latest,
    onKeyUp: (event) => date.look(event.currentTarget),
    onBlur: (event) => date.leave(event.currentTarget),
  };
  return (
    <Field
      label={label}
      help={help}
      problem={date.problem ?? problem}
      isOptional={isOptional ?? false}
    >
      {(control) => (
        <input
          type="text"
          {...rest}
          {...(latest === undefined ? {} : watched)}
          {...control}
          className={className === undefined ? 'input' : `input ${className}`}
          value={value}
          onChange={(event) => {
            if (latest !== undefined) date.look(event.currentTarget);
            onChange(event.target.value);
          }}
        />
      )}
    </Field>
  );
}

export function TextAreaField({
  label,
  help,
  problem,
  isOptional,
  value,
  onChange,
  rows = 3,
  maxLength,
}: Common &
  Readonly<{
    value: string;
    onChange: (value: string) => void;
    rows?: number;
    maxLength?: number;
  }>) {
  return (
    <Field label={label} help={help} problem={problem} isOptional={isOptional ?? false}>
      {(control) => (
        <textarea
          {...control}
          className="input"
          rows={rows}
          maxLength={maxLength}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

/** An amount as text: never a number, which would lose what the reader typed. */
export function AmountField({ currency, ...rest }: TextGiven & Readonly<{ currency: string }>) {
  const { label, help, problem, isOptional, value, onChange, className: _unused, ...input } = rest;
  return (
    <Field label={label} help={help} problem={problem} isOptional={isOptional ?? false}>
      {(control) => (
        <div className="with-unit">
          <span className="unit" aria-hidden="true">
            {currency}
          </span>
          <input
            inputMode="decimal"
            autoComplete="off"
            {...input}
            {...control}
            className="input input-money"
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
        </div>
      )}
    </Field>
  );
}

/** Six digits from an app. */
export function CodeField(given: TextGiven) {
  return (
    <TextField
      inputMode="numeric"
      autoComplete="one-time-code"
      maxLength={6}
      pattern="[0-9]*"
      {...given}
      onChange={(value) => given.onChange(value.replace(/\D/g, ''))}
      className="input-code"
    />
  );
}

export type Option = Readonly<{ value: string; label: string }>;

type SelectGiven = Common &
  Readonly<{ value: string; onChange: (value: string) => void; options: readonly Option[] }> &
  Omit<SelectHTMLAttributes<HTMLSelectElement>, 'value' | 'onChange' | 'className'>;

export function SelectField({
  label,
  help,
  problem,
  isOptional,
  value,
  onChange,
  options,
  ...rest
}: SelectGiven) {
  return (
    <Field label={label} help={help} problem={problem} isOptional={isOptional ?? false}>
      {(control) => (
        <select
          {...rest}
          {...control}
          className="select"
          value={value}
          onChange={(event) => onChange(event.target.value)}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

/** A text with suggestions; other texts may be typed too. */
export function ComboField({
  options,
  ...rest
}: TextGiven & Readonly<{ options: readonly string[] }>) {
  const listId = useId();
  return (
    <>
      <TextField {...rest} list={listId} autoComplete="off" />
      <datalist id={listId}>
        {options.map((option) => (
          <option key={option} value={option} />
        ))}
      </datalist>
    </>
  );
}

/** A choice between few, all in sight. */
export function SegmentField({
  label,
  value,
  onChange,
  options,
}: Readonly<{
  label: string;
  value: string;
  onChange: (value: string) => void;
  options: readonly Option[];
}>) {
  const name = useId();
  return (
    <fieldset className="field">
      <legend>{label}</legend>
      <div className="seg">
        {options.map((option) => (
          <label key={option.value}>
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
            />
            {option.label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

export function CheckField({
  label,
  isChecked,
  onChange,
}: Readonly<{ label: ReactNode; isChecked: boolean; onChange: (isChecked: boolean) => void }>) {
  return (
    <label className="choice">
      <input
        type="checkbox"
        checked={isChecked}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span>{label}</span>
    </label>
  );
}
