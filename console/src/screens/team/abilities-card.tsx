import {
  BOOK_PERMISSIONS,
  type BookPermission,
  MERCHANT_PERMISSIONS,
  MERCHANT_ROLES,
  type MerchantPermission,
  type MerchantRole,
} from '../../../../service/src/domain/roles.ts';
import { Card } from '../../parts/card.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Tag } from '../../parts/words.tsx';
import { team as texts } from '../../texts/en/team.ts';

const ABILITIES = Object.entries(texts.ability) as readonly (readonly [
  BookPermission | MerchantPermission,
  string,
])[];

/** The table by which the service decides, in words. */
export function AbilitiesCard() {
  return (
    <Card title={texts.abilities}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className="table-wrap" role="region" aria-label={texts.abilitiesLabel} tabIndex={0}>
        <table className="data data-abilities" aria-label={texts.abilitiesLabel}>
          <thead>
            <tr>
              <th scope="col">
                <span className="visually-hidden">{texts.action}</span>
              </th>
              {MERCHANT_ROLES.map((role) => (
                <th key={role} scope="col" className="mid">
                  {role}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {ABILITIES.map(([permission, words]) => (
              <tr key={permission}>
                <th scope="row">{words}</th>
                {MERCHANT_ROLES.map((role) => (
                  <td key={role} className="mid">
                    <Ability answer={answerOf(permission, role)} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  );
}

type Answer = 'yes' | 'no' | 'testOnly';

function answerOf(permission: BookPermission | MerchantPermission, role: MerchantRole): Answer {
  if (!isOfBook(permission)) return includes(MERCHANT_PERMISSIONS[permission], role);
  const inLive = includes(BOOK_PERMISSIONS[permission].live, role);
  return inLive === 'no' && role === 'developer' && permission !== 'keys:confirm'
    ? 'testOnly'
    : inLive;
}

function includes(roles: readonly MerchantRole[], role: MerchantRole): Answer {
  return roles.includes(role) ? 'yes' : 'no';
}

function isOfBook(permission: BookPermission | MerchantPermission): permission is BookPermission {
  return Object.hasOwn(BOOK_PERMISSIONS, permission);
}

function Ability({ answer }: Readonly<{ answer: Answer }>) {
  if (answer === 'testOnly') return <Tag>{texts.testOnly}</Tag>;
  if (answer === 'no') {
    return (
      <span className="faint">
        <span aria-hidden="true">–</span>
        <span className="visually-hidden">{texts.no}</span>
      </span>
    );
  }
  return (
    <span className="good">
      <Icon name="succeeded" />
      <span className="visually-hidden">{texts.yes}</span>
    </span>
  );
}
