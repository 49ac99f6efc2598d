import type { ReactNode } from 'react';
import type { OpenRow } from '../app/open-row.ts';
import { RowToggle } from './row-toggle.tsx';
import type { Column } from './table.tsx';
import { Time } from './time.tsx';

type Given<Row> = Readonly<{
  row: OpenRow;
  time: Readonly<{ head: string; at: (row: Row) => string; fold: 'num' | 'state' }>;
  name: Readonly<{
    head: string;
    id: (row: Row) => string;
    /** What the button shows, and what it says on hover. */
    word: (row: Row) => ReactNode;
    title: (row: Row) => string;
    below?: (row: Row) => ReactNode;
  }>;
}>;

/** The columns of a list of what happened: the time, newest first, and the name, which opens the row below itself. */
export function openingColumns<Row>({
  row,
  time,
  name,
}: Given<Row>): Readonly<{ time: Column<Row>; name: Column<Row> }> {
  return {
    time: {
      key: 'time',
      head: time.head,
      isSorted: true,
      fold: time.fold,
      cell: (one) => <Time at={time.at(one)} />,
    },
    name: {
      key: 'name',
      head: name.head,
      isRowHead: true,
      fold: 'main',
      cell: (one) => (
        <span className="two">
          <RowToggle id={name.id(one)} row={row} title={name.title(one)}>
            {name.word(one)}
          </RowToggle>
          {name.below !== undefined && <small className="break">{name.below(one)}</small>}
        </span>
      ),
    },
  };
}
