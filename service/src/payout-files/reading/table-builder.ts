import type { TableRow } from '../../domain/payout-file/file-checker.ts';
import {
  type FileColumn,
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
  columns: readonly FileColumn[];
  /** The sheet that was read; null: the format has none. */
  sheet: string | null;
  /** Further sheets that also look like lists of payouts, and were not read. */
  otherSheets: readonly string[];
  rows: readonly TableRow[];
}>;

type AboutRow = Readonly<{
  isHidden?: boolean;
  /** The row as it is written, with its quotes. Absent: commas do not separate cells, so they can cut no amount. */
  textBetweenCommas?: () => string;
}>;

/** `1` and `250.00` of `1,250.00`, or `K1` and `250 ZMW`. */
const CUT_BEFORE = /^(?:(?:zmw|zmk|zk|k|ngn|n|₦)\.?\s*)?[0-9]{1,3}$/iu;
const CUT_BEHIND = /^[0-9]{3}(?:\.[0-9]{1,2})?(?:\s*(?:zmw|zmk|ngn|kwacha|naira)\.?)?$/iu;

/** Finds the header in the rows of a file and keeps the cells of the columns below it that are used. */
export class TableBuilder {
  #columns: readonly FileColumn[] | undefined;
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

  get columns(): readonly FileColumn[] | undefined {
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
  add(cells: readonly string[], line: number, about: AboutRow = {}): void {
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
    const extra = storableText(cells.slice(this.#width).join(' ').trim(), CELL_LENGTH_MAX);
    // A remark in a column that is not used is no row. Cells beyond the last column may be a row that slipped.
    if (isEmpty && extra === '') return;
    if (extra !== '') texts.extra = extra;
    this.#textLength += extra.length;
    const next = this.#findCutAmount(cells, about);
    if (next !== undefined) texts.next = next;
    if (this.#rows.length >= ROWS_MAX) throw new FileUnreadable('TOO_MANY_ROWS');
    if (this.#textLength > TEXT_LENGTH_MAX) throw new FileUnreadable('TOO_MUCH_TEXT');
    this.#rows.push({ line, texts, isHidden: about.isHidden ?? false });
  }

  /** The cell after the amount, if both have no quotes and may be one amount. Beyond the last column it is extra already. */
  #findCutAmount(cells: readonly string[], { textBetweenCommas }: AboutRow): string | undefined {
    const at = this.#used.find(({ field }) => field === 'amount')?.at ?? this.#width;
    if (textBetweenCommas === undefined || at + 1 >= this.#width) return undefined;
    const [amount = '', next = ''] = cells.slice(at, at + 2);
    if (!CUT_BEFORE.test(amount.trim()) || !CUT_BEHIND.test(next.trim())) return undefined;
    const isBare = `,${textBetweenCommas()},`.includes(`,${amount},${next.trimEnd()}`);
    return isBare ? next.trim() : undefined;
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
