import type { StaffPerson } from '../../api/staff-types.ts';
import { useInactive } from '../../app/staff-api.ts';
import { Button } from '../../parts/button.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Menu } from '../../parts/menu.tsx';
import type { Column } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { Avatar, Tag } from '../../parts/words.tsx';
import { people as texts } from '../../texts/en/people.ts';
import type { Chosen } from './person-dialog.tsx';

type Given = Readonly<{ myId: string; onChoose: (chosen: Chosen) => void }>;

export function peopleColumns({ myId, onChoose }: Given): readonly Column<StaffPerson>[] {
  return [
    {
      key: 'name',
      head: texts.name,
      isRowHead: true,
      fold: 'main',
      cell: ({ id, name, email }) => (
        <span className="person">
          <Avatar name={name} isYou={id === myId} />
          <span className="two">
            <span>
              {name} {id === myId && <Tag tone="accent">{texts.you}</Tag>}
            </span>
            <small className="break">{email ?? texts.noSignIn}</small>
          </span>
        </span>
      ),
    },
    {
      key: 'roles',
      head: texts.roles,
      fold: 'state',
      cell: ({ roles }) => texts.list(roles.map(({ role }) => role)),
    },
    {
      key: 'factor',
      head: texts.factor,
      fold: 'hide',
      cell: ({ secondFactor }) =>
        secondFactor === 'none' ? (
          <span className="two">
            <Tag tone="caution">{texts.factors.none}</Tag>
            <small>{texts.noFactor}</small>
          </span>
        ) : (
          texts.factors[secondFactor]
        ),
    },
    {
      key: 'seen',
      head: texts.seen,
      isNumber: true,
      fold: 'time',
      cell: ({ lastSeenAt }) =>
        lastSeenAt === null ? (
          <span className="faint">{texts.never}</span>
        ) : (
          <>
            <span className="hide-wide-inline faint small">{texts.seen} </span>
            <Time at={lastSeenAt} />
          </>
        ),
    },
    {
      key: 'act',
      head: <span className="visually-hidden">{texts.act}</span>,
      isNumber: true,
      fold: 'act',
      cell: (person) => <PersonActs person={person} onChoose={onChoose} />,
    },
  ];
}

function PersonActs({
  person,
  onChoose,
}: Readonly<{ person: StaffPerson; onChoose: Given['onChoose'] }>) {
  const inactive = useInactive()('staff:write');
  if (inactive !== undefined) {
    return (
      <Button size="sm" inactive={inactive}>
        {texts.change}
        <span className="visually-hidden"> {person.name}</span>
      </Button>
    );
  }
  return (
    <Menu
      className="btn btn-sm"
      label={texts.changeOf(person.name)}
      align="end"
      items={(['role', 'sessions', 'remove'] as const).map((what) => ({
        key: what,
        content: texts[what].act,
        onChoose: () => onChoose({ person, what }),
      }))}
    >
      {texts.change}
      <span className="visually-hidden"> {person.name}</span>
      <Icon name="down" />
    </Menu>
  );
}
