import { MERCHANT_ROLES } from '../../../../service/src/domain/roles.ts';
import { team as texts } from '../../texts/en/team.ts';
import type { RoleChoice, RoleIn } from './team-roles.ts';

const OPTIONS = Object.entries(texts.roleIn) as readonly (readonly [RoleIn, string])[];

type Given = Readonly<{ choice: RoleChoice; onChange: (choice: RoleChoice) => void }>;

/** One choice for each role: not, in all books, or in one. */
export function RoleFields({ choice, onChange }: Given) {
  return (
    <fieldset className="field">
      <legend>{texts.form.roles}</legend>
      <div className="role-fields">
        {MERCHANT_ROLES.map((role) => (
          <label key={role} className="role-field">
            <span className="two">
              {role}
              <small>{texts.roleHelp[role]}</small>
            </span>
            <select
              className="select"
              value={choice[role]}
              onChange={(event) => onChange({ ...choice, [role]: event.target.value as RoleIn })}
            >
              {OPTIONS.map(([value, label]) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </select>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
