import type { Invitation } from '../../api/types.ts';
import { Facts } from '../../parts/card.tsx';
import { Time } from '../../parts/time.tsx';
import { Tag } from '../../parts/words.tsx';
import { invitation as texts } from '../../texts/en/sign-in.ts';

/** To what, with which roles, and until when. */
export function InvitationFacts({ invitation }: Readonly<{ invitation: Invitation }>) {
  // A role may be given in each book alone.
  const roles = [...new Set(invitation.roles.map(({ role }) => role))];
  return (
    <>
      <p>{invitation.merchant === null ? texts.toStaff : texts.to(invitation.merchant.name)}</p>
      <Facts
        facts={[
          [
            texts.roles,
            <span key="roles" className="roles">
              {roles.map((role) => (
                <Tag key={role} tone="accent">
                  {role}
                </Tag>
              ))}
            </span>,
          ],
          [texts.until, <Time key="until" at={invitation.expiresAt} />],
        ]}
      />
    </>
  );
}
