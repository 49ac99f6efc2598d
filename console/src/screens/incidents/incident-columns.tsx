import { Link } from '@tanstack/react-router';
import type { Incident } from '../../api/staff-types.ts';
import { useInactive } from '../../app/staff-api.ts';
import { Button } from '../../parts/button.tsx';
import type { Column } from '../../parts/table.tsx';
import { Age, Time } from '../../parts/time.tsx';
import { ModeWord, StatePill, Tag } from '../../parts/words.tsx';
import { incidents as texts } from '../../texts/en/incidents.ts';
import { nameIncident } from './name-incident.ts';

const WHAT: Column<Incident> = {
  key: 'what',
  head: texts.what,
  isRowHead: true,
  fold: 'main',
  cell: (incident) => (
    <span className="two">
      {nameIncident(incident)}
      <small className="wrap">{incident.detail}</small>
    </span>
  ),
};

const ABOUT: Column<Incident> = {
  key: 'about',
  head: texts.about,
  fold: 'more',
  cell: ({ transfer, merchant, mode, route, operatorReference }) =>
    transfer === null ? (
      <span className="two">
        <code>{route}</code>
        <small className="id break">{operatorReference}</small>
      </span>
    ) : (
      <span className="two">
        <span>
          <Link className="break" to={`/staff/transfers/${transfer.id}`}>
            {transfer.reference}
          </Link>{' '}
          <StatePill state={transfer.state} />
        </span>
        <small>
          {merchant?.name} {mode !== null && <ModeWord mode={mode} />}
        </small>
      </span>
    ),
};

type Open = Readonly<{
  isGone: (incident: Incident) => boolean;
  onClose: (incident: Incident) => void;
}>;

export function openColumns({ isGone, onClose }: Open): readonly Column<Incident>[] {
  return [
    WHAT,
    ABOUT,
    {
      key: 'opened',
      head: texts.opened,
      isNumber: true,
      fold: 'num',
      cell: ({ openedAt }) => <Age since={openedAt} />,
    },
    {
      key: 'act',
      head: <span className="visually-hidden">{texts.act}</span>,
      isNumber: true,
      fold: 'act',
      cell: (incident) =>
        isGone(incident) ? (
          <Tag tone="good">{texts.closed}</Tag>
        ) : (
          <CloseButton incident={incident} onClick={() => onClose(incident)} />
        ),
    },
  ];
}

function CloseButton({ incident, onClick }: Readonly<{ incident: Incident; onClick: () => void }>) {
  const inactive = useInactive();
  return (
    <Button
      size="sm"
      inactive={inactive('incidents:close')}
      aria-label={texts.closeOne(nameIncident(incident))}
      onClick={onClick}
    >
      {texts.close}
    </Button>
  );
}

export function closedColumns(): readonly Column<Incident>[] {
  return [
    WHAT,
    ABOUT,
    {
      key: 'note',
      head: texts.note,
      fold: 'more',
      cell: ({ closed }) => <span className="wrap">{closed?.note}</span>,
    },
    {
      key: 'closed',
      head: texts.closed,
      isNumber: true,
      fold: 'time',
      cell: ({ closed }) =>
        closed === null ? null : (
          <span className="two">
            <Time at={closed.at} />
            <small>{texts.closedBy(closed.by)}</small>
          </span>
        ),
    },
  ];
}
