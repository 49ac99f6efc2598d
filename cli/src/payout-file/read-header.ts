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

/** What else people call a column, in small letters without blanks and signs. */
const OTHER_NAMES: Readonly<Record<string, Column>> = {
  phonenumber: 'phone',
  mobile: 'phone',
  mobilenumber: 'phone',
  msisdn: 'phone',
  network: 'operator',
  countrycode: 'country',
  wallet: 'walletId',
  name: 'recipientName',
  fullname: 'recipientName',
};

const NAME_SHOWN_CHARS_MAX = 40;

export type Header = Readonly<{
  /** At which position the column stands. */
  positions: ReadonlyMap<Column, number>;
  width: number;
  /** Columns that are passed over, as asked for. */
  ignored: readonly string[];
}>;

export type HeaderRules = Readonly<{
  ignoreUnknown: boolean;
  /** The command line names the wallet. */
  hasWallet: boolean;
}>;

/** The columns of the file, or everything that is wrong with its first line. */
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
    const column = findColumn(name);
    if (column === undefined) {
      if (rules.ignoreUnknown) ignored.push(shown(name));
      else complain(shown(name), unknownReason());
    } else if (positions.has(column)) complain(column, `Two columns mean ${column}. Remove one.`);
    else positions.set(column, position);
  }
  for (const column of missingColumns(positions, rules)) {
    complain(column, missingReason(column));
  }
  if (problems.length > 0) return { problems };
  return { header: { positions, width: names.length, ignored } };
}

/** People write `Phone Number`, `phone_number` and `Recipient name`. */
function findColumn(name: string): Column | undefined {
  const wanted = name.toLowerCase().replace(/[\s_.-]/g, '');
  return COLUMNS.find((column) => column.toLowerCase() === wanted) ?? OTHER_NAMES[wanted];
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

function shown(name: string): string {
  const plain = name.replace(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, '').trim();
  return plain.slice(0, NAME_SHOWN_CHARS_MAX) || '(no name)';
}
