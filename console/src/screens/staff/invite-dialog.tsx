import { useState } from 'react';
import { STAFF_ROLES } from '../../../../service/src/domain/roles.ts';
import type { Named } from '../../api/staff-types.ts';
import { useInactive, useStaffAct } from '../../app/staff-api.ts';
import { TextField } from '../../parts/field.tsx';
import { merchant as merchantTexts } from '../../texts/en/merchants.ts';
import { people } from '../../texts/en/people.ts';
import { ActDialog } from './act-dialog.tsx';
import { RoleFields } from './role-fields.tsx';
import { ShownOnce } from './shown-once.tsx';

const texts = people.invite;
const NAME_LENGTH_MAX = 80;

type Given = Readonly<{
  /** Invites the first owner of this merchant; absent: to the staff. */
  merchant?: Named;
  onClose: () => void;
}>;
type Invited = Readonly<{ link: string; mailed: boolean }>;

export function InviteDialog({ merchant, onClose }: Given) {
  const act = useStaffAct();
  const inactive = useInactive();
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [invited, setInvited] = useState<Invited>();
  if (invited !== undefined) {
    return (
      <ShownOnce
        title={texts.made}
        label={texts.link}
        text={invited.link}
        detail={invited.mailed ? texts.mailed : texts.notMailed}
        onClose={onClose}
      />
    );
  }
  const roles = merchant === undefined ? chosen : ['owner'];
  const isUnnamed = name.trim() === '' || email.trim() === '';
  return (
    <ActDialog
      title={merchant === undefined ? texts.title : merchantTexts.people.inviteTitle}
      actLabel={
        merchant === undefined ? texts.do(name.trim()) : merchantTexts.people.inviteDo(name.trim())
      }
      needsStepUp
      inactive={
        inactive('staff:write') ??
        (isUnnamed ? texts.nameFirst : roles.length === 0 ? texts.rolesFirst : undefined)
      }
      onClose={onClose}
      onAct={async () => {
        const answer = await act<Invited>({
          path: '/invitations',
          body: {
            name: name.trim(),
            email: email.trim(),
            roles: roles.map((role) => ({ role })),
            ...(merchant === undefined ? {} : { merchantId: merchant.id }),
          },
        });
        setInvited(answer);
        return 'stay';
      }}
    >
      <TextField
        label={texts.name}
        autoComplete="off"
        maxLength={NAME_LENGTH_MAX}
        value={name}
        onChange={setName}
      />
      <TextField
        label={texts.email}
        help={texts.emailHelp}
        type="email"
        autoComplete="off"
        value={email}
        onChange={setEmail}
      />
      {merchant === undefined && (
        <RoleFields roles={STAFF_ROLES} chosen={chosen} onChange={setChosen} />
      )}
    </ActDialog>
  );
}
