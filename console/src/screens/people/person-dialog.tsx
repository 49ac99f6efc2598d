import { useState } from 'react';
import { STAFF_ROLES } from '../../../../service/src/domain/roles.ts';
import type { StaffPerson } from '../../api/staff-types.ts';
import { useInactive, useStaffAct } from '../../app/staff-api.ts';
import { toast } from '../../parts/announce.tsx';
import { people as texts } from '../../texts/en/people.ts';
import { ActDialog } from '../staff/act-dialog.tsx';
import { RoleFields } from '../staff/role-fields.tsx';

export type Chosen = Readonly<{ person: StaffPerson; what: 'role' | 'sessions' | 'remove' }>;

type Given = Readonly<{ person: StaffPerson; onClose: () => void }>;

export function PersonDialog({
  chosen: { person, what },
  onClose,
}: Readonly<{ chosen: Chosen; onClose: () => void }>) {
  if (what === 'role') return <RolesDialog person={person} onClose={onClose} />;
  if (what === 'sessions') return <SessionsDialog person={person} onClose={onClose} />;
  return <RemoveDialog person={person} onClose={onClose} />;
}

function RolesDialog({ person, onClose }: Given) {
  const act = useStaffAct();
  const inactive = useInactive();
  const [chosen, setChosen] = useState<readonly string[]>(person.roles.map(({ role }) => role));
  return (
    <ActDialog
      title={texts.role.title(person.name)}
      actLabel={texts.role.do}
      needsStepUp
      inactive={
        inactive('staff:write') ?? (chosen.length === 0 ? texts.invite.rolesFirst : undefined)
      }
      onClose={onClose}
      onAct={async () => {
        await act({
          method: 'PUT',
          path: `/people/${person.id}/roles`,
          body: { roles: chosen.map((role) => ({ role })) },
        });
        toast(texts.role.done(person.name));
      }}
    >
      <RoleFields roles={STAFF_ROLES} chosen={chosen} onChange={setChosen} />
      <p className="soft">{texts.role.detail}</p>
    </ActDialog>
  );
}

function SessionsDialog({ person, onClose }: Given) {
  const act = useStaffAct();
  const inactive = useInactive();
  return (
    <ActDialog
      title={texts.sessions.title(person.name)}
      actLabel={texts.sessions.do}
      isDanger
      needsStepUp
      inactive={inactive('staff:write')}
      onClose={onClose}
      onAct={async () => {
        const { ended } = await act<{ ended: number }>({
          method: 'DELETE',
          path: `/people/${person.id}/sessions`,
        });
        toast(texts.sessions.done(ended));
      }}
    >
      <p className="soft">{texts.sessions.detail}</p>
    </ActDialog>
  );
}

function RemoveDialog({ person, onClose }: Given) {
  const act = useStaffAct();
  const inactive = useInactive();
  return (
    <ActDialog
      title={texts.remove.title(person.name)}
      actLabel={texts.remove.do(person.name)}
      keepLabel={texts.remove.keep}
      isDanger
      needsStepUp
      inactive={inactive('staff:write')}
      onClose={onClose}
      onAct={async () => {
        await act({ method: 'DELETE', path: `/people/${person.id}` });
        toast(texts.remove.done(person.name));
      }}
    >
      <p className="soft">{texts.remove.detail}</p>
    </ActDialog>
  );
}
