import { type ReactNode, useState } from 'react';
import { COUNTRIES, OPERATORS } from '../../../../service/src/domain/operator.ts';
import type { ConditionName, PolicyConditions, PolicyHours } from '../../api/policy-types.ts';
import { readAmount } from '../../format/read-amount.ts';
import {
  AmountField,
  CheckField,
  SelectField,
  TextAreaField,
  TextField,
} from '../../parts/field.tsx';
import { policy as texts } from '../../texts/en/policy.ts';
import { DurationFields, WindowFields } from './duration-fields.tsx';
import { readMetadata, sayMetadataLines } from './metadata-lines.ts';
import { wordsOf } from './rule-sentence.ts';
import type { PolicyThings } from './use-policy.ts';

const form = texts.form;

type Given = Readonly<{
  condition: ConditionName;
  when: PolicyConditions;
  things: PolicyThings;
  onChange: (change: PolicyConditions) => void;
}>;

/** The fields of one condition. */
export function ConditionFields({ condition, when, things, onChange }: Given): ReactNode {
  switch (condition) {
    case 'amountAtLeast':
    case 'amountBelow':
      return (
        <AmountField
          label={texts.conditions[condition]}
          currency={things.currency ?? ''}
          value={when[condition] ?? ''}
          problem={readAmount(when[condition] ?? '').problem}
          onChange={(amount) => onChange({ [condition]: amount })}
        />
      );
    case 'sum':
      return when.sum === undefined ? null : (
        <WindowFields
          value={when.sum}
          onChange={(window) => onChange({ sum: { ...window, above: when.sum?.above ?? '' } })}
        >
          <AmountField
            label={form.above}
            currency={things.currency ?? ''}
            value={when.sum.above}
            problem={readAmount(when.sum.above).problem}
            onChange={(above) =>
              when.sum !== undefined && onChange({ sum: { ...when.sum, above } })
            }
          />
        </WindowFields>
      );
    case 'count':
      return when.count === undefined ? null : (
        <WindowFields
          value={when.count}
          onChange={(window) => onChange({ count: { ...window, above: when.count?.above ?? 0 } })}
        >
          <TextField
            label={form.aboveCount}
            inputMode="numeric"
            value={String(when.count.above)}
            onChange={(text) =>
              when.count !== undefined &&
              onChange({ count: { ...when.count, above: Number(text.replace(/\D/g, '')) } })
            }
          />
        </WindowFields>
      );
    case 'firstPayment':
    case 'onAllowList':
      return (
        <SelectField
          label={texts.conditions[condition]}
          value={String(when[condition])}
          onChange={(value) => onChange({ [condition]: value === 'true' })}
          options={[
            { value: 'true', label: form.isTrue[condition] },
            { value: 'false', label: form.isFalse[condition] },
          ]}
        />
      );
    case 'similarWithin':
      return (
        <DurationFields
          label={form.duration}
          value={when.similarWithin ?? ''}
          onChange={(similarWithin) => onChange({ similarWithin })}
        />
      );
    case 'hours':
      return when.hours === undefined ? null : (
        <HoursFields hours={when.hours} onChange={(hours) => onChange({ hours })} />
      );
    case 'metadata':
      return (
        <MetadataField
          value={when.metadata ?? {}}
          onChange={(metadata) => onChange({ metadata })}
        />
      );
    case 'nameMatch':
    case 'source':
    case 'operator':
    case 'country':
    case 'wallet':
    case 'key':
      return (
        <Choices
          label={texts.conditions[condition]}
          options={optionsOf(condition, things)}
          labelOf={wordsOf(condition, things)}
          values={when[condition] ?? []}
          onChange={(values) => onChange({ [condition]: values })}
        />
      );
    default: {
      const unhandled: never = condition;
      throw new Error(`unhandled condition ${String(unhandled)}`);
    }
  }
}

function optionsOf(
  condition: 'nameMatch' | 'source' | 'operator' | 'country' | 'wallet' | 'key',
  { wallets, keys }: PolicyThings,
): readonly string[] {
  const options = {
    nameMatch: Object.keys(texts.names),
    source: Object.keys(texts.sources),
    operator: OPERATORS,
    country: COUNTRIES,
    wallet: wallets.map(({ id }) => id),
    key: keys.map(({ id }) => id),
  };
  return options[condition];
}

type ChoicesGiven = Readonly<{
  label: string;
  options: readonly string[];
  labelOf: (value: string) => string;
  values: readonly string[];
  onChange: (values: readonly string[]) => void;
}>;

/** Several of few. Values that are no longer offered stay in sight, so that they can be removed. */
export function Choices({ label, options, labelOf, values, onChange }: ChoicesGiven) {
  const all = [...options, ...values.filter((value) => !options.includes(value))];
  return (
    <fieldset className="field">
      <legend>{label}</legend>
      <div className="choice-row">
        {all.map((option) => (
          <CheckField
            key={option}
            label={labelOf(option)}
            isChecked={values.includes(option)}
            onChange={(isChecked) =>
              onChange(all.filter((one) => (one === option ? isChecked : values.includes(one))))
            }
          />
        ))}
      </div>
    </fieldset>
  );
}

/** The text stays as it was typed: an empty line is the beginning of the next one. */
function MetadataField({
  value,
  onChange,
}: Readonly<{
  value: NonNullable<PolicyConditions['metadata']>;
  onChange: (value: NonNullable<PolicyConditions['metadata']>) => void;
}>) {
  const [text, setText] = useState(() => sayMetadataLines(value));
  return (
    <TextAreaField
      label={form.metadata}
      help={form.metadataHelp}
      value={text}
      onChange={(next) => {
        setText(next);
        onChange(readMetadata(next));
      }}
    />
  );
}

function HoursFields({
  hours,
  onChange,
}: Readonly<{ hours: PolicyHours; onChange: (hours: PolicyHours) => void }>) {
  const { days, ...rest } = hours;
  return (
    <>
      <div className="form-row form-row-3">
        <TextField
          label={form.from}
          type="time"
          value={hours.from}
          onChange={(from) => onChange({ ...hours, from })}
        />
        <TextField
          label={form.to}
          type="time"
          value={hours.to}
          onChange={(to) => onChange({ ...hours, to })}
        />
        <TextField
          label={form.zone}
          value={hours.zone}
          spellCheck={false}
          onChange={(zone) => onChange({ ...hours, zone })}
        />
      </div>
      <Choices
        label={form.days}
        options={Object.keys(texts.days)}
        labelOf={(day) => texts.days[day] ?? day}
        values={days ?? Object.keys(texts.days)}
        onChange={(next) =>
          onChange(next.length === Object.keys(texts.days).length ? rest : { ...rest, days: next })
        }
      />
    </>
  );
}
