import { APPROVING_ROLES } from '../../../../service/src/domain/policy/policy.ts';
import type { PolicyRequirement } from '../../api/policy-types.ts';
import type { MerchantRole } from '../../api/types.ts';
import { CheckField, SegmentField, SelectField, TextField } from '../../parts/field.tsx';
import { policy as texts } from '../../texts/en/policy.ts';
import { Choices } from './condition-fields.tsx';

const form = texts.form;

type Given = Readonly<{
  require: PolicyRequirement;
  screeners: readonly string[];
  onChange: (require: PolicyRequirement) => void;
}>;

/** What a rule asks for. A refusal stands alone. */
export function RequirementFields({ require, screeners, onChange }: Given) {
  const isRefusal = require.refuse === true;
  const { approvals, of = [], warn, screen } = require;
  const offered =
    screen === undefined || screeners.includes(screen) ? screeners : [screen, ...screeners];
  return (
    <>
      <SegmentField
        label={form.outcome}
        value={isRefusal ? 'refuse' : 'hold'}
        onChange={(kind) =>
          onChange(
            kind === 'refuse' ? { refuse: true } : { approvals: 1, of: ['approver', 'owner'] },
          )
        }
        options={Object.entries(form.outcomes).map(([value, label]) => ({ value, label }))}
      />
      {!isRefusal && (
        <>
          <div className="form-row">
            <TextField
              label={form.approvals}
              help={form.approvalsHelp}
              inputMode="numeric"
              maxLength={2}
              value={String(approvals ?? 0)}
              onChange={(text) => onChange(withApprovals(require, Number(text.replace(/\D/g, ''))))}
            />
            {approvals !== undefined && (
              <Choices
                label={form.of}
                options={APPROVING_ROLES}
                labelOf={(role) => role}
                values={of}
                onChange={(roles) => onChange({ ...require, of: roles as readonly MerchantRole[] })}
              />
            )}
          </div>
          <CheckField
            label={form.warn}
            isChecked={warn === true}
            onChange={(isChecked) => {
              const { warn: _before, ...rest } = require;
              onChange(isChecked ? { ...rest, warn: true } : rest);
            }}
          />
          <SelectField
            label={form.screen}
            value={screen ?? ''}
            onChange={(name) => {
              const { screen: _before, ...rest } = require;
              onChange(name === '' ? rest : { ...rest, screen: name });
            }}
            options={[
              { value: '', label: form.noScreener },
              ...offered.map((name) => ({ value: name, label: name })),
            ]}
          />
        </>
      )}
    </>
  );
}

function withApprovals(require: PolicyRequirement, count: number): PolicyRequirement {
  const { approvals: _count, of, ...rest } = require;
  return count === 0 ? rest : { ...rest, approvals: count, of: of ?? ['approver', 'owner'] };
}

export function whyIncomplete({
  refuse,
  approvals,
  of = [],
  warn,
  screen,
}: PolicyRequirement): string | undefined {
  if (refuse === true) return undefined;
  if (approvals !== undefined && of.length === 0) return form.noRoles;
  const isAsking = approvals !== undefined || warn === true || screen !== undefined;
  return isAsking ? undefined : form.nothing;
}
