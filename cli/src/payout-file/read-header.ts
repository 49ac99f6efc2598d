import {
  readAmountCurrency,
  type WrittenCurrency,
} from '../../../service/src/domain/payout-file/amount-currency.ts';
import {
  type RowField,
  readHeader as readColumns,
} from '../../../service/src/domain/payout-file/row-fields.ts';
import type { CsvRecord } from '../csv/parse-csv.ts';
import type { LineProblem } from './payout.ts';

const COLUMNS = [
  'amount',
  'phone',
  'operator',
  'country',
  'reference',
  'narration',
  'recipientName',
  'walletId',
] as const;
export type Column = (typeof COLUMNS)[number];

/** `Ref. No` and `Payment reference`. Other names of a reference in payout files are staff numbers as a rule. */
const REFERENCE_NAME = /^(?:payment|payout|transfer)?ref(?:erence)?(?:no|number)?$/;
const STAFF_NUMBER =
  'Not taken for a reference: a reference is one payout, for ever, and a staff number is the same each month. ' +
  'If each payout has a new one, name the column reference. Else pass over it: --ignore-columns.';
const NOT_READ =
  'In a workbook this column is not read. Name it reference and remove columns of staff numbers before it, or ' +
  'save the sheet as CSV UTF-8.';
const NAME_SHOWN_CHARS_MAX = 40;

export type Header = Readonly<{
  /** The position of the column. */
  positions: ReadonlyMap<Column, number>;
  width: number;
  /** Unknown columns that are ignored because of --ignore-columns. */
  ignored: readonly string[];
  /** The currency that the column of the amounts names, as in `Amount (ZMW)`; null: none. */
  amountCurrency: WrittenCurrency | null;
}>;

export type HeaderRules = Readonly<{
  ignoreUnknown: boolean;
  /** The command line names the wallet. */
  hasWallet: boolean;
  /** Positions whose cells are not known, because the reader of workbooks left them out. */
  unread: ReadonlySet<number>;
}>;

/** The columns of the file, or all problems of its first line. */
export function readHeader(
  { line, cells: names }: CsvRecord,
  rules: HeaderRules,
): Readonly<{ header: Header }> | Readonly<{ problems: readonly LineProblem[] }> {
  const positions = new Map<Column, number>();
  const ignored: string[] = [];
  const problems: LineProblem[] = [];
  const complain = (column: string | null, reason: string) =>
    void problems.push({ line, column, reason });
  for (const [position, name] of names.entries()) {
    const field = fieldOf(name);
    const column = columnOf(name, field);
    if (column === undefined) {
      if (rules.ignoreUnknown) ignored.push(shown(name));
      else complain(shown(name), field === 'reference' ? STAFF_NUMBER : unknownReason());
    } else if (positions.has(column)) complain(column, `Two columns mean ${column}. Remove one.`);
    else if (rules.unread.has(position)) complain(shown(name), NOT_READ);
    else positions.set(column, position);
  }
  for (const column of missingColumns(positions, rules)) {
    complain(column, missingReason(column));
  }
  if (problems.length > 0) return { problems };
  const header = names[positions.get('amount') ?? -1] ?? '';
  const amountCurrency = readAmountCurrency([{ header, field: 'amount' }]);
  return { header: { positions, width: names.length, ignored, amountCurrency } };
}

/** How the service would read a column of a payout file. It uses the first of two columns, so the name comes first. */
function fieldOf(name: string): RowField | null {
  return readColumns([name, 'phone', 'amount'])?.[0]?.field ?? null;
}

/** The names of the service, so that a list means the same here and there, except for references. */
function columnOf(name: string, field: RowField | null): Column | undefined {
  const letters = name.replace(/\([^)]*\)/g, '').replace(/[^a-zA-Z0-9]/g, '');
  if (REFERENCE_NAME.test(letters.toLowerCase())) return 'reference';
  if (field === null || field === 'reference') return undefined;
  return field === 'name' ? 'recipientName' : field;
}

function missingColumns(
  positions: ReadonlyMap<Column, number>,
  { hasWallet }: HeaderRules,
): readonly Column[] {
  const needed: readonly Column[] = hasWallet
    ? ['amount', 'phone']
    : ['amount', 'phone', 'walletId'];
  return needed.filter((column) => !positions.has(column));
}

function unknownReason(): string {
  return `No such column. Known are ${COLUMNS.join(', ')}. To pass over others: --ignore-columns.`;
}

function missingReason(column: Column): string {
  const also = column === 'walletId' ? ' Or give --wallet for all lines.' : '';
  return `The column is missing. The first line must name the columns.${also}`;
}

/** A name from the file, made safe for a terminal. */
export function shown(name: string): string {
  const plain = name.replace(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, '').trim();
  return plain.slice(0, NAME_SHOWN_CHARS_MAX) || '(no name)';
}
