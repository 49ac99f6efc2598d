import { useState } from 'react';
import type { StaffInvitation } from '../../api/staff-types.ts';
import { useInactive, useStaffAct } from '../../app/staff-api.ts';
import { toast } from '../../parts/announce.tsx';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { people } from '../../texts/en/people.ts';
import { ActDialog } from '../staff/act-dialog.tsx';

const texts = people.invitations;

function columnsOf(
  onWithdraw: (invitation: StaffInvitation) => void,
): readonly Column<StaffInvitation>[] {
  return [
    {
      key: 'who',
      head: texts.who,
      isRowHead: true,
      fold: 'main',
      cell: ({ name, email }) => (
        <span className="two">
          {name}
          <small className="break">{email}</small>
        </span>
      ),
    },
    {
      key: 'roles',
      head: people.roles,
      fold: 'state',
      cell: ({ roles }) => people.list(roles.map(({ role }) => role)),
    },
    { key: 'by', head: texts.by, fold: 'hide', cell: ({ invitedBy }) => invitedBy },
    {
      key: 'until',
      head: texts.until,
      isNumber: true,
      fold: 'time',
      cell: ({ expiresAt }) => <Time at={expiresAt} />,
    },
    {
      key: 'act',
      head: <span className="visually-hidden">{texts.act}</span>,
      isNumber: true,
      fold: 'act',
      cell: (invitation) => (
        <WithdrawButton name={invitation.name} onClick={() => onWithdraw(invitation)} />
      ),
    },
  ];
}

function WithdrawButton({ name, onClick }: Readonly<{ name: string; onClick: () => void }>) {
  const inactive = useInactive();
  return (
    <Button
      size="sm"
      inactive={inactive('staff:write')}
      aria-label={texts.withdrawOf(name)}
      onClick={onClick}
    >
      {texts.withdraw}
    </Button>
  );
}

export function InvitationsCard({
  invitations,
}: Readonly<{ invitations: readonly StaffInvitation[] }>) {
  const act = useStaffAct();
  const [chosen, setChosen] = useState<StaffInvitation>();
  if (invitations.length === 0) return null;
  return (
    <Card title={texts.title}>
      <Table
        caption={texts.caption}
        columns={columnsOf(setChosen)}
        rows={invitations}
        idOf={({ id }) => id}
      />
      {chosen !== undefined && (
        <ActDialog
          title={texts.withdrawTitle(chosen.name)}
          actLabel={texts.withdrawDo}
          isDanger
          needsStepUp
          onClose={() => setChosen(undefined)}
          onAct={async () => {
            await act({ method: 'DELETE', path: `/invitations/${chosen.id}` });
            toast(texts.withdrawn);
          }}
        >
          <p className="soft">{texts.withdrawDetail}</p>
        </ActDialog>
      )}
    </Card>
  );
}
