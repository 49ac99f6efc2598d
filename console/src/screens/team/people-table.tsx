import { useState } from 'react';
import type { GivenRole, Team, TeamInvitation, TeamPerson } from '../../api/team-types.ts';
import type { SessionBook } from '../../api/types.ts';
import { useInactive } from '../../app/may-act.ts';
import { useBook, useSession } from '../../app/session.ts';
import { Button } from '../../parts/button.tsx';
import { Icon } from '../../parts/icon.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { Avatar, ModeWord, Tag } from '../../parts/words.tsx';
import { team as texts } from '../../texts/en/team.ts';
import { ChangePerson } from './change-person.tsx';
import { modesOf } from './team-roles.ts';
import { WithdrawQuestion } from './withdraw-question.tsx';

type Row =
  | Readonly<{ kind: 'person'; id: string; person: TeamPerson }>
  | Readonly<{ kind: 'invitation'; id: string; invitation: TeamInvitation }>;

export function PeopleTable({ team }: Readonly<{ team: Team }>) {
  const session = useSession();
  const { merchant } = useBook();
  const inactive = useInactive()('people:write');
  const [open, setOpen] = useState<Row>();
  const books = session.memberships.find((one) => one.merchant.id === merchant.id)?.books ?? [];
  const rows: readonly Row[] = [
    ...team.items.map((person) => ({ kind: 'person', id: person.id, person }) as const),
    ...team.invitations.map(
      (invitation) => ({ kind: 'invitation', id: invitation.id, invitation }) as const,
    ),
  ];
  const close = () => setOpen(undefined);
  return (
    <>
      <Table
        caption={texts.caption}
        columns={columnsOf({ ownId: session.person.id, books, inactive, onOpen: setOpen })}
        rows={rows}
        idOf={({ id }) => id}
      />
      {open?.kind === 'person' && (
        <ChangePerson person={open.person} books={books} onClose={close} />
      )}
      {open?.kind === 'invitation' && (
        <WithdrawQuestion invitation={open.invitation} onClose={close} />
      )}
    </>
  );
}

type Shown = Readonly<{
  ownId: string;
  books: readonly SessionBook[];
  inactive: string | undefined;
  onOpen: (row: Row) => void;
}>;

function columnsOf({ ownId, books, inactive, onOpen }: Shown): readonly Column<Row>[] {
  return [
    {
      key: 'name',
      head: texts.name,
      isRowHead: true,
      fold: 'main',
      cell: (row) => <Who row={row} ownId={ownId} />,
    },
    { key: 'roles', head: texts.roles, fold: 'num', cell: (row) => <Roles row={row} /> },
    {
      key: 'books',
      head: texts.books,
      fold: 'state',
      cell: (row) => <Books row={row} books={books} />,
    },
    {
      key: 'factor',
      head: texts.factor,
      fold: 'more',
      cell: (row) => (row.kind === 'person' ? <Factor person={row.person} /> : <Ends {...row} />),
    },
    {
      key: 'seen',
      head: texts.seen,
      isNumber: true,
      fold: 'hide',
      cell: (row) =>
        row.kind === 'person' && row.person.lastSeenAt !== null ? (
          <Time at={row.person.lastSeenAt} />
        ) : (
          <span className="faint">{row.kind === 'person' ? texts.never : '–'}</span>
        ),
    },
    {
      key: 'act',
      head: <span className="visually-hidden">{texts.action}</span>,
      isNumber: true,
      fold: 'act',
      cell: (row) => (
        <Button
          size="sm"
          inactive={inactive}
          aria-label={
            row.kind === 'person'
              ? texts.changeOf(row.person.name)
              : texts.withdrawOf(row.invitation.email)
          }
          onClick={() => onOpen(row)}
        >
          {row.kind === 'person' ? texts.change : texts.withdraw}
        </Button>
      ),
    },
  ];
}

function Roles({ row }: Readonly<{ row: Row }>) {
  return (
    <span className="roles">
      {[...new Set(rolesOf(row).map(({ role }) => role))].map((role) => (
        <Tag key={role} tone="accent">
          {role}
        </Tag>
      ))}
    </span>
  );
}

function Books({ row, books }: Readonly<{ row: Row; books: readonly SessionBook[] }>) {
  const modes = new Set(rolesOf(row).flatMap(({ bookId }) => modesOf(bookId, books)));
  return (
    <span className="inline">
      {(['live', 'test'] as const)
        .filter((mode) => modes.has(mode))
        .map((mode) => (
          <ModeWord key={mode} mode={mode} />
        ))}
    </span>
  );
}

function rolesOf(row: Row): readonly GivenRole[] {
  return row.kind === 'person' ? row.person.roles : row.invitation.roles;
}

function Who({ row, ownId }: Readonly<{ row: Row; ownId: string }>) {
  if (row.kind === 'invitation') {
    return (
      <span className="person">
        <span className="ring" />
        <span className="two">
          {row.invitation.name} <span className="soft">{texts.invited.toLowerCase()}</span>
          <small className="ellipsis">{row.invitation.email}</small>
        </span>
      </span>
    );
  }
  const { person } = row;
  const isYou = person.id === ownId;
  return (
    <span className="person">
      <Avatar name={person.name} isYou={isYou} />
      <span className="two">
        {person.name} {isYou && <span className="soft">{texts.you}</span>}
        <small className="ellipsis">{person.email ?? texts.noMail}</small>
      </span>
    </span>
  );
}

function Factor({ person }: Readonly<{ person: TeamPerson }>) {
  const { secondFactor } = person;
  if (secondFactor === 'none') {
    return (
      <Tag tone="caution">
        <Icon name="alert" />
        {texts.factors.none}
      </Tag>
    );
  }
  return (
    <span className="inline">
      <Icon name={secondFactor === 'totp' ? 'phone' : 'fingerprint'} />
      {texts.factors[secondFactor]}
    </span>
  );
}

function Ends({ invitation }: Readonly<{ invitation: TeamInvitation }>) {
  return (
    <span className="soft small">
      {texts.linkEnds} <Time at={invitation.expiresAt} />
    </span>
  );
}
