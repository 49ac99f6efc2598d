import { Link } from '@tanstack/react-router';
import type { Act } from '../../api/staff-types.ts';
import type { Column } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { Id } from '../../parts/words.tsx';
import { audit as texts } from '../../texts/en/audit.ts';
import { Changes } from './changes.tsx';
import { nameKind } from './name-kind.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/i;

export const ACT_COLUMNS: readonly Column<Act>[] = [
  {
    key: 'what',
    head: texts.what,
    isRowHead: true,
    fold: 'main',
    cell: ({ kind, subject }) => (
      <span className="two">
        {nameKind(kind)}
        <small className="break">{UUID.test(subject) ? <Id id={subject} /> : subject}</small>
      </span>
    ),
  },
  {
    key: 'actor',
    head: texts.actor,
    fold: 'state',
    cell: ({ actor }) => (
      <span className="two">
        {actor.id === null ? (
          actor.name
        ) : (
          <Link to="/staff/audit" search={{ actor: actor.id }}>
            {actor.name}
          </Link>
        )}
        <small>{texts.actorKinds[actor.kind] ?? actor.kind}</small>
      </span>
    ),
  },
  {
    key: 'merchant',
    head: texts.merchant,
    fold: 'hide',
    cell: ({ merchant }) =>
      merchant === null ? (
        <span className="faint">{texts.nothing}</span>
      ) : (
        <Link to={`/staff/merchants/${merchant.id}`}>{merchant.name}</Link>
      ),
  },
  {
    key: 'change',
    head: texts.change,
    fold: 'more',
    cell: (act) => <Changes act={act} />,
  },
  {
    key: 'at',
    head: texts.at,
    isNumber: true,
    fold: 'time',
    cell: ({ at }) => <Time at={at} />,
  },
];
