import {
  Fragment,
  memo,
  type ReactNode,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { useKeys } from '../app/keyboard.tsx';
import { shell } from '../texts/en/shell.ts';
import { Spacer, useVirtualRows } from './virtual-rows.tsx';

/** Where a cell goes when the table folds into two-line rows below 760 px. */
type Fold = 'check' | 'main' | 'num' | 'state' | 'time' | 'more' | 'act' | 'hide';

export type Column<Row> = Readonly<{
  key: string;
  head: ReactNode;
  cell: (row: Row) => ReactNode;
  isNumber?: boolean;
  /** The first telling cell: the row's header, with its link. One for each table. */
  isRowHead?: boolean;
  /** Rows are in this order, falling. */
  isSorted?: boolean;
  fold?: Fold;
}>;

type Selection = Readonly<{
  ids: ReadonlySet<string>;
  onChange: (ids: ReadonlySet<string>) => void;
  /** Says which row it is to screen readers. */
  labelOf: (id: string) => string;
}>;

type Given<Row> = Readonly<{
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  idOf: (row: Row) => string;
  selection?: Selection;
  /** Enter on the row that the keyboard is at. */
  onOpen?: (row: Row) => void;
  /** Tables of figures scroll sideways instead. */
  isFolding?: boolean;
  /** A class for a row: `row-dim` for one that no longer fits the filter. */
  rowClass?: (row: Row) => string | undefined;
  foot?: ReactNode;
  /** What a row that is open shows below itself; undefined: it is not open. */
  detailOf?: (row: Row) => ReactNode | undefined;
  /** True: all rows stay in the page, so that rows with fields keep unsaved text. For some hundred rows. */
  isTypedIn?: boolean;
}>;

/** A list as a table: roles are written out because `display` on table parts drops them in some browsers. */
export function Table<Row>(given: Given<Row>) {
  const {
    caption,
    columns,
    rows,
    idOf,
    selection,
    onOpen,
    isFolding = true,
    rowClass,
    foot,
    detailOf,
    isTypedIn = false,
  } = given;
  const [at, setAt] = useState(-1);
  const body = useRef<HTMLTableSectionElement>(null);
  const anchor = useRef(-1);
  const classes = ['data', 'data-rows'];
  const hasLead = selection !== undefined || columns.some(({ fold }) => fold === 'check');
  if (isFolding) classes.push(hasLead ? 'fold' : 'fold fold-plain');

  const select = (from: number, to: number) => {
    if (selection === undefined) return;
    const ids = new Set(selection.ids);
    const some = rows.slice(Math.min(from, to), Math.max(from, to) + 1).map(idOf);
    const isOn = from === to ? !ids.has(some[0] ?? '') : true;
    for (const id of some) {
      if (isOn) ids.add(id);
      else ids.delete(id);
    }
    anchor.current = to;
    selection.onChange(ids);
  };
  const latest = useRef(select);
  useLayoutEffect(() => {
    latest.current = select;
  });
  const onSelect = useCallback((index: number) => latest.current(index, index), []);
  const move = (by: number) => setAt((now) => Math.max(0, Math.min(rows.length - 1, now + by)));
  const current = rows[at];
  useKeys([
    { keys: 'j', label: shell.keys.nextRow, act: () => move(1) },
    { keys: 'k', label: shell.keys.previousRow, act: () => move(-1) },
    ...(onOpen === undefined
      ? []
      : [
          {
            keys: 'enter',
            label: shell.keys.open,
            act: () => current !== undefined && onOpen(current),
          },
        ]),
    ...(selection === undefined
      ? []
      : [
          { keys: 'x', label: shell.keys.select, act: () => select(at, at) },
          {
            keys: 'Shift x',
            label: shell.keys.select,
            act: () => select(anchor.current === -1 ? at : anchor.current, at),
          },
        ]),
  ]);
  const virtual = useVirtualRows(rows.length, { body, at, isWhole: isTypedIn });
  useEffect(() => {
    if (at >= 0) body.current?.querySelector('.row-at')?.scrollIntoView({ block: 'nearest' });
  }, [at]);

  const isAll = rows.length > 0 && rows.every((row) => selection?.ids.has(idOf(row)) === true);
  return (
    <div className="table-wrap">
      <table className={classes.join(' ')} role="table" aria-rowcount={rows.length + 1}>
        <caption className="visually-hidden">{caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {selection !== undefined && (
              <th role="columnheader" scope="col" className="check">
                <input
                  type="checkbox"
                  aria-label={shell.table.selectAll}
                  checked={isAll}
                  onChange={() => selection.onChange(new Set(isAll ? [] : rows.map(idOf)))}
                />
              </th>
            )}
            {columns.map((column) => (
              <th
                key={column.key}
                role="columnheader"
                scope="col"
                className={
                  column.isNumber === true ? 'num' : column.isSorted === true ? 'sort' : undefined
                }
                aria-sort={column.isSorted === true ? 'descending' : undefined}
              >
                {column.head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup" ref={body}>
          <Spacer height={virtual.before} />
          {virtual.indexes.map((index) => {
            const row = rows[index];
            if (row === undefined) return null;
            const id = idOf(row);
            const detail = detailOf?.(row);
            const line = (
              <TableRow
                key={id}
                row={row}
                index={index}
                columns={columns}
                className={[
                  index === at ? 'row-at' : '',
                  detail === undefined ? '' : 'row-open',
                  rowClass?.(row) ?? '',
                ]
                  .join(' ')
                  .trim()}
                isSelected={selection?.ids.has(id)}
                label={selection?.labelOf(id)}
                onSelect={onSelect}
                measure={virtual.measure}
              />
            );
            if (detail === undefined) return line;
            return (
              <Fragment key={id}>
                {line}
                <tr role="row" className="detail">
                  <td role="cell" colSpan={columns.length + (selection === undefined ? 0 : 1)}>
                    {detail}
                  </td>
                </tr>
              </Fragment>
            );
          })}
          <Spacer height={virtual.after} />
        </tbody>
        {foot !== undefined && <tfoot role="rowgroup">{foot}</tfoot>}
      </table>
    </div>
  );
}

type RowGiven<Row> = Readonly<{
  row: Row;
  index: number;
  columns: readonly Column<Row>[];
  className: string;
  /** Undefined: rows of this table are not selected. */
  isSelected: boolean | undefined;
  label: string | undefined;
  onSelect: (index: number) => void;
  measure: ((element: Element | null) => void) | undefined;
}>;

/** Rendered again only when it changed: while a long list scrolls, most visible rows stay the same. */
const TableRow = memo(function TableRow<Row>(given: RowGiven<Row>) {
  const { row, index, columns, className, isSelected, label, onSelect, measure } = given;
  return (
    <tr
      role="row"
      ref={measure}
      data-index={index}
      aria-rowindex={index + 2}
      className={className === '' ? undefined : className}
    >
      {isSelected !== undefined && (
        <td role="cell" className="check f-check">
          <input
            type="checkbox"
            aria-label={shell.table.select(label ?? '')}
            checked={isSelected}
            onChange={() => onSelect(index)}
          />
        </td>
      )}
      {columns.map((column) => (
        <Cell key={column.key} column={column} row={row} />
      ))}
    </tr>
  );
}) as <Row>(given: RowGiven<Row>) => ReactNode;

function Cell<Row>({ column, row }: Readonly<{ column: Column<Row>; row: Row }>) {
  const classes = [column.isNumber === true ? 'num' : '', `f-${column.fold ?? 'more'}`]
    .join(' ')
    .trim();
  return column.isRowHead === true ? (
    <th role="rowheader" scope="row" className={classes}>
      {column.cell(row)}
    </th>
  ) : (
    <td role="cell" className={classes}>
      {column.cell(row)}
    </td>
  );
}
