import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import type {
  ConditionName,
  PolicyConditions,
  PolicyRequirement,
  PolicyRule,
} from '../../api/policy-types.ts';
import { readAmount } from '../../format/read-amount.ts';
import { Button } from '../../parts/button.tsx';
import { Refused } from '../../parts/failure.tsx';
import { SelectField, TextField } from '../../parts/field.tsx';
import { useHalfTyped } from '../../parts/half-typed.tsx';
import { policy as texts } from '../../texts/en/policy.ts';
import { shell } from '../../texts/en/shell.ts';
import { ConditionFields } from './condition-fields.tsx';
import { newCondition } from './new-condition.ts';
import { RequirementFields, whyIncomplete } from './requirement-fields.tsx';
import { CONDITION_ORDER } from './rule-sentence.ts';
import type { PolicyThings } from './use-policy.ts';

const form = texts.form;
const RULE_NAME_LENGTH_MAX = 60;

type Given = Readonly<{
  rule: PolicyRule;
  things: PolicyThings;
  /** The value that was chosen: its field gets the focus. */
  focus: ConditionName | undefined;
  onSave: (rule: PolicyRule) => Promise<void>;
  onRemove: () => Promise<void>;
  onClose: () => void;
}>;

/** The rule as a form, in the place of its sentence. */
export function RuleEditor({ rule, things, focus, onSave, onRemove, onClose }: Given) {
  const [draft, setDraft] = useState(rule);
  const { isBusy, error, run } = useRun();
  const place = useRef<HTMLFormElement>(null);
  const leave = useEffectEvent((event: KeyboardEvent) => {
    if (event.key === 'Escape') onClose();
  });
  useEffect(() => {
    const form = place.current;
    const listen = (event: KeyboardEvent) => leave(event);
    form?.addEventListener('keydown', listen);
    return () => form?.removeEventListener('keydown', listen);
  }, []);
  useEffect(() => {
    const chosen = focus === undefined ? '' : `[data-condition="${focus}"] `;
    place.current?.querySelector<HTMLElement>(`${chosen}:is(input, select, textarea)`)?.focus();
  }, [focus]);
  const halfTyped = useHalfTyped();
  const incomplete =
    draft.name.trim() === ''
      ? form.name
      : (amountProblemOf(draft.when) ?? halfTyped ?? whyIncomplete(draft.require));
  return (
    <li className="rule rule-changed">
      <form
        ref={place}
        className="form"
        aria-label={form.title(rule.name)}
        onSubmit={(event) => {
          event.preventDefault();
          if (!isBusy && incomplete === undefined) void run(() => onSave(withPlainAmounts(draft)));
        }}
      >
        <TextField
          label={form.name}
          help={form.nameHelp}
          maxLength={RULE_NAME_LENGTH_MAX}
          value={draft.name}
          onChange={(name) => setDraft({ ...draft, name })}
        />
        <ConditionList
          when={draft.when}
          things={things}
          onChange={(when) => setDraft({ ...draft, when })}
        />
        <RequirementFields
          require={draft.require}
          screeners={things.screeners}
          onChange={(require: PolicyRequirement) => setDraft({ ...draft, require })}
        />
        {error !== undefined && <Refused error={inWords(error)} hasFields />}
        <div className="actions actions-end">
          <Button kind="danger" isBusy={isBusy} onClick={() => void run(onRemove)}>
            {form.removeRule}
          </Button>
          <Button onClick={onClose}>{shell.cancel}</Button>
          <Button kind="main" type="submit" isBusy={isBusy} inactive={incomplete}>
            {form.save}
          </Button>
        </div>
      </form>
    </li>
  );
}

/** Conditions of several fields, of which none says what they are about. */
const TITLED: ReadonlySet<ConditionName> = new Set([
  'sum',
  'count',
  'similarWithin',
  'hours',
  'metadata',
]);

/** The fields that are wrong by the names that the form has for them, not by their places in the document. */
function inWords(error: unknown): unknown {
  if (!(error instanceof ApiError)) return error;
  const fields = error.fields.map(({ field, message }) => {
    const [, , part, name = ''] = field.split('.');
    const known = part === 'when' && Object.hasOwn(texts.conditions, name);
    return { field: known ? texts.conditions[name as ConditionName] : field, message };
  });
  const { status, code, message, retryable, requestId } = error;
  return new ApiError({ status, code, message, retryable, requestId, fields });
}

function useRun() {
  const [state, setState] = useState<Readonly<{ isBusy: boolean; error?: unknown }>>({
    isBusy: false,
  });
  return {
    ...state,
    run: async (act: () => Promise<void>) => {
      setState({ isBusy: true });
      try {
        await act();
        setState({ isBusy: false });
      } catch (error) {
        setState({ isBusy: false, error });
      }
    },
  };
}

type ListGiven = Readonly<{
  when: PolicyConditions;
  things: PolicyThings;
  onChange: (when: PolicyConditions) => void;
}>;

function ConditionList({ when, things, onChange }: ListGiven) {
  const present = CONDITION_ORDER.filter((name) => when[name] !== undefined);
  const absent = CONDITION_ORDER.filter((name) => when[name] === undefined);
  return (
    <fieldset className="field">
      <legend>{form.when}</legend>
      <div className="conditions">
        {present.map((name) => (
          <div key={name} className="condition" data-condition={name}>
            <div className="form">
              {TITLED.has(name) && <p className="strong small">{texts.conditions[name]}</p>}
              <ConditionFields
                condition={name}
                when={when}
                things={things}
                onChange={(change) => onChange({ ...when, ...change })}
              />
            </div>
            <Button
              size="sm"
              kind="plain"
              icon="close"
              aria-label={form.remove(texts.conditions[name])}
              onClick={() => {
                const { [name]: _removed, ...rest } = when;
                onChange(rest);
              }}
            />
          </div>
        ))}
        {present.length === 0 && <p className="help">{form.everyHelp}</p>}
        <SelectField
          label={form.addCondition}
          value=""
          onChange={(name) => onChange({ ...when, ...newCondition(name as ConditionName) })}
          options={[
            { value: '', label: form.choose },
            ...absent.map((name) => ({ value: name, label: texts.conditions[name] })),
          ]}
        />
      </div>
    </fieldset>
  );
}

function amountProblemOf({ amountAtLeast, amountBelow, sum }: PolicyConditions) {
  return [amountAtLeast, amountBelow, sum?.above]
    .map((text) => readAmount(text ?? '').problem)
    .find((problem) => problem !== undefined);
}

/** Amounts as people write them become decimal text; one that is missing goes so, and the service says so. */
function withPlainAmounts(rule: PolicyRule): PolicyRule {
  const plain = (text: string) => readAmount(text).amount ?? text;
  const { amountAtLeast, amountBelow, sum } = rule.when;
  return {
    ...rule,
    name: rule.name.trim(),
    when: {
      ...rule.when,
      ...(amountAtLeast === undefined ? {} : { amountAtLeast: plain(amountAtLeast) }),
      ...(amountBelow === undefined ? {} : { amountBelow: plain(amountBelow) }),
      ...(sum === undefined ? {} : { sum: { ...sum, above: plain(sum.above) } }),
    },
  };
}
