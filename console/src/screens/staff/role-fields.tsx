import type { StaffRole } from '../../api/types.ts';
import { CheckField } from '../../parts/field.tsx';
import { people as texts } from '../../texts/en/people.ts';

type Given = Readonly<{
  roles: readonly StaffRole[];
  chosen: readonly string[];
  onChange: (chosen: readonly string[]) => void;
}>;

/** Each role with what it may do. Roles add up. */
export function RoleFields({ roles, chosen, onChange }: Given) {
  return (
    <fieldset className="field">
      <legend>{texts.invite.roles}</legend>
      {roles.map((role) => (
        <CheckField
          key={role}
          label={
            <span className="two">
              {role}
              <small className="wrap">{texts.what[role]}</small>
            </span>
          }
          isChecked={chosen.includes(role)}
          onChange={(isChecked) =>
            onChange(isChecked ? [...chosen, role] : chosen.filter((one) => one !== role))
          }
        />
      ))}
    </fieldset>
  );
}
