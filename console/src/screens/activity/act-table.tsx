import type { Act } from '../../api/team-types.ts';
import type { Session } from '../../api/types.ts';
import { type OpenRow, useOpenRow } from '../../app/open-row.ts';
import { findBook, useSession } from '../../app/session.ts';
import { Facts } from '../../parts/card.tsx';
import { openingColumns } from '../../parts/opening-columns.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { Id, ModeWord } from '../../parts/words.tsx';
import { activity as texts } from '../../texts/en/activity.ts';
import { shell } from '../../texts/en/shell.ts';
import { type FactRow, factRows, nameOfSubject, sayKind } from './say-act.ts';

export function ActTable({ acts }: Readonly<{ acts: readonly Act[] }>) {
  const session = useSession();
  const row = useOpenRow();
  return (
    <Table
      caption={texts.caption}
      columns={columnsOf(session, row)}
      rows={acts}
      idOf={({ id }) => id}
      onOpen={({ id }) => row.toggle(id)}
      detailOf={(act) => detailOf(act, row)}
    />
  );
}

function detailOf(act: Act, { open }: OpenRow) {
  return act.id === open ? <ActDetail act={act} /> : undefined;
}

function columnsOf(session: Session, row: OpenRow): readonly Column<Act>[] {
  const { time, name } = openingColumns<Act>({
    row,
    time: { head: texts.time, at: ({ at }) => at, fold: 'num' },
    name: {
      head: texts.what,
      id: ({ id }) => id,
      word: ({ kind }) => sayKind(kind),
      title: ({ kind }) => texts.open(sayKind(kind)),
      below: (act) => nameOfSubject(act) ?? <Id id={act.subject} />,
    },
  });
  return [
    time,
    {
      key: 'who',
      head: texts.who,
      fold: 'state',
      cell: ({ actor }) => <Who actor={actor} isYou={actor.id === session.person.id} />,
    },
    name,
    {
      key: 'where',
      head: texts.where,
      fold: 'time',
      cell: ({ bookId }) => {
        const book = bookId === null ? undefined : findBook(session, bookId);
        return book === undefined ? (
          <span className="faint">{texts.merchant}</span>
        ) : (
          <ModeWord mode={book.mode} />
        );
      },
    },
  ];
}

function Who({ actor, isYou }: Readonly<{ actor: Act['actor']; isYou: boolean }>) {
  const isStaff = actor.kind === 'person' && actor.id === null;
  const kind = isStaff ? texts.actors.staff : texts.actors[actor.kind as 'person'];
  return (
    <span className="two">
      {actor.name}
      <small>{isYou ? texts.you : kind}</small>
    </span>
  );
}

/** What the thing was and is, side by side. */
function ActDetail({ act }: Readonly<{ act: Act }>) {
  const rows = factRows(act);
  return (
    <section className="attempts" aria-label={sayKind(act.kind)}>
      <Facts
        facts={[
          [texts.subject, <Id key="subject" id={act.subject} whole />],
          ...(act.reason === null ? [] : ([[texts.reason, act.reason]] as const)),
        ]}
      />
      {rows.length === 0 ? (
        <p className="soft mt">{texts.noDetail}</p>
      ) : (
        <ul className="changes mt">
          {rows.map((row) => (
            <li key={row.name}>
              <span className="soft">{row.name}</span>
              <span>
                <Change row={row} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** What it was, struck out, then what it is. Without a change the value alone. */
function Change({ row }: Readonly<{ row: FactRow }>) {
  const { before, after, isChanged } = row;
  if (!isChanged) return <Value value={after} />;
  return (
    <>
      {before !== null && (
        <>
          <span className="visually-hidden">{texts.before} </span>
          <del>
            <Value value={before} />
          </del>{' '}
        </>
      )}
      {after !== null && (
        <>
          <span className="visually-hidden">{texts.after} </span>
          <ins>
            <Value value={after} />
          </ins>
        </>
      )}
    </>
  );
}

const UUID = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g;
const TIME = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/;

function Value({ value }: Readonly<{ value: unknown }>) {
  const session = useSession();
  if (value === null || value === '') return <span className="faint">{texts.none}</span>;
  if (typeof value === 'boolean') return value ? texts.yes : texts.no;
  if (typeof value === 'string' && TIME.test(value)) return <Time at={value} />;
  if (Array.isArray(value)) {
    if (value.length === 0) return <span className="faint">{texts.none}</span>;
    return nameBooks(value.join(', '), session);
  }
  return nameBooks(typeof value === 'string' ? value : JSON.stringify(value), session);
}

/** "approver in LIVE": people know their books by the mode and not by the id. */
function nameBooks(text: string, session: Session): string {
  return text.replace(UUID, (id) => {
    const book = findBook(session, id);
    return book === undefined ? id : shell.modes[book.mode].word;
  });
}
