import type { TableRow } from '../../domain/payout-file/file-checker.ts';
import {
  type Column,
  type RowCells,
  type RowField,
  readHeader,
} from '../../domain/payout-file/row-fields.ts';
import { FileUnreadable } from './file-unreadable.ts';
import { storableText } from './storable-text.ts';
import { CELL_LENGTH_MAX, HEADER_WITHIN_ROWS, ROWS_MAX, TEXT_LENGTH_MAX } from './table-limits.ts';

export type FileFormat = 'csv' | 'xlsx';

/** What a file holds. */
export type Table = Readonly<{
  format: FileFormat;
  columns: readonly Column[];
  /** The sheet that was read; null: the format has none. */
  sheet: string | null;
  /** Further sheets that also look like lists of payouts, and were not read. */
  otherSheets: readonly string[];
  rows: readonly TableRow[];
}>;

/** Finds the header in the rows of a file and keeps the cells of the columns below it that are used. */
export class TableBuilder {
  #columns: readonly Column[] | undefined;
  /** The position of each column that is used. */
  #used: readonly Readonly<{ field: RowField; at: number }>[] = [];
  /** The columns up to the last one that has a name. */
  #width = 0;
  #seen = 0;
  #textLength = 0;
  readonly #rows: TableRow[] = [];

  constructor() {
    this.#columns = undefined;
  }

  get columns(): readonly Column[] | undefined {
    return this.#columns;
  }

  get rows(): readonly TableRow[] {
    return this.#rows;
  }

  /** No header came in time: there is none. */
  get hasNoHeader(): boolean {
    return this.#columns === undefined && this.#seen >= HEADER_WITHIN_ROWS;
  }

  /** Takes the next row. Empty ones count for nothing. */
  add(cells: readonly string[], line: number, isHidden = false): void {
    if (cells.every((cell) => cell === undefined || cell.trim() === '')) return;
    if (this.#columns === undefined) {
      this.#seen += 1;
      this.#columns = readHeader(cells.map((cell) => storableText(cell ?? '', HEADER_LENGTH_MAX)));
      this.#used = (this.#columns ?? []).flatMap(({ field }, at) =>
        field === null ? [] : [{ field, at }],
      );
      this.#width = 1 + (this.#columns ?? []).findLastIndex(({ header }) => header !== '');
      return;
    }
    const texts: { -readonly [Field in keyof RowCells]: RowCells[Field] } = {};
    let isEmpty = true;
    for (const { field, at } of this.#used) {
      const text = storableText((cells[at] ?? '').trim(), CELL_LENGTH_MAX);
      if (text === '') continue;
      texts[field] = text;
      this.#textLength += text.length;
      isEmpty = false;
    }
    // What stands beside the list, such as a remark in a column that is not used, is no row.
    if (isEmpty) return;
    const extra = storableText(cells.slice(this.#width).join(' ').trim(), CELL_LENGTH_MAX);
    if (extra !== '') texts.extra = extra;
    this.#textLength += extra.length;
    if (this.#rows.length >= ROWS_MAX) throw new FileUnreadable('TOO_MANY_ROWS');
    if (this.#textLength > TEXT_LENGTH_MAX) throw new FileUnreadable('TOO_MUCH_TEXT');
    this.#rows.push({ line, texts, isHidden });
  }

  /** Throws if there is nothing to pay in it. */
  build(about: Pick<Table, 'format' | 'sheet' | 'otherSheets'>): Table {
    const columns = this.#columns;
    if (columns === undefined) throw new FileUnreadable('NO_HEADER');
    if (this.#rows.length === 0) throw new FileUnreadable('EMPTY');
    return { ...about, columns, rows: this.#rows };
  }
}

const HEADER_LENGTH_MAX = 100;
