/** What a row of a payout file may say. */
export const ROW_FIELDS = [
  'phone',
  'amount',
  'name',
  'operator',
  'country',
  'narration',
  'reference',
  'walletId',
] as const;
export type RowField = (typeof ROW_FIELDS)[number];

/** The text of each field that a row has; absent where the file has no such column. */
export type RowTexts = Readonly<Partial<Record<RowField, string>>>;

/**
 * The cells of a row as they are in its file. `extra` is what stands to the right of the last column. `next` is the cell
 * after the amount, present only where the two may be one amount that a comma has cut.
 */
export type RowCells = RowTexts & Readonly<{ extra?: string; next?: string }>;

/** Fields without which a file is not a list of payouts. */
const NEEDED: readonly RowField[] = ['phone', 'amount'];

/**
 * The usual names of columns, in the letters that `compact` leaves. People name columns in many ways; what is not here is
 * not used, and the file says so.
 */
const NAMES: Readonly<Record<RowField, readonly string[]>> = {
  phone: [
    'phone',
    'phonenumber',
    'phoneno',
    'number',
    'msisdn',
    'mobile',
    'mobilenumber',
    'mobileno',
    'mobilemoneynumber',
    'momonumber',
    'cell',
    'cellnumber',
    'cellphone',
    'telephone',
    'tel',
    'recipient',
    'recipientphone',
    'recipientnumber',
    'beneficiaryphone',
    'beneficiarynumber',
    'receiver',
    'account',
    'accountnumber',
    'walletnumber',
  ],
  amount: [
    'amount',
    'amountzmw',
    'amountngn',
    'amountk',
    'zmw',
    'ngn',
    'kwacha',
    'naira',
    'sum',
    'value',
    'net',
    'netpay',
    'netamount',
    'netsalary',
    'pay',
    'salary',
    'payment',
    'payout',
    'total',
    'topay',
  ],
  name: [
    'name',
    'fullname',
    'fullnames',
    'names',
    'recipientname',
    'beneficiary',
    'beneficiaryname',
    'receivername',
    'accountname',
    'employee',
    'employeename',
    'payee',
    'payeename',
    'customer',
    'customername',
  ],
  operator: [
    'operator',
    'network',
    'provider',
    'mno',
    'carrier',
    'networkoperator',
    'mobileoperator',
    'mobilenetwork',
    'networkprovider',
  ],
  country: ['country', 'countrycode'],
  narration: [
    'narration',
    'reason',
    'description',
    'note',
    'notes',
    'memo',
    'message',
    'remark',
    'remarks',
    'purpose',
    'details',
    'comment',
  ],
  reference: [
    'reference',
    'ref',
    'referenceno',
    'referencenumber',
    'refno',
    'id',
    'employeeid',
    'employeeno',
    'employeenumber',
    'staffid',
    'staffno',
    'manno',
    'payrollno',
    'payrollnumber',
    'externalid',
    'transactionid',
  ],
  walletId: ['walletid', 'wallet', 'sourcewallet', 'fromwallet'],
};

const FIELD_OF: ReadonlyMap<string, RowField> = new Map(
  ROW_FIELDS.flatMap((field) => NAMES[field].map((name) => [name, field] as const)),
);

/** A column of the file as it was headed, and what it is read as; null: it is not used. */
export type FileColumn = Readonly<{
  header: string;
  field: RowField | null;
  /** Its amounts may have a comma before their decimals. */
  mayHaveDecimalCommas?: boolean;
}>;

export function mayHaveDecimalCommas(columns: readonly FileColumn[]): boolean {
  return columns.some((column) => column.mayHaveDecimalCommas === true);
}

/**
 * What the columns of a header mean. Where two columns could be the same field, the first is used; findTwoColumns tells
 * where that would be a guess about money. Undefined: this row is no header, because a number or an amount would be
 * missing.
 */
export function readHeader(cells: readonly string[]): readonly FileColumn[] | undefined {
  const taken = new Set<RowField>();
  const columns = cells.map((cell) => {
    const header = cell.trim();
    const field = fieldOf(header);
    if (field === null || taken.has(field)) return { header, field: null };
    taken.add(field);
    return { header, field };
  });
  return NEEDED.every((field) => taken.has(field)) ? columns : undefined;
}

/** Two columns that could both be the number, or both the amount. Undefined: there is one of each. */
export function findTwoColumns(
  columns: readonly FileColumn[],
): Readonly<{ field: RowField; headers: readonly [string, string] }> | undefined {
  for (const field of NEEDED) {
    const [first, second] = columns.filter(({ header }) => fieldOf(header) === field);
    if (first !== undefined && second !== undefined) {
      return { field, headers: [first.header, second.header] };
    }
  }
  return undefined;
}

function fieldOf(header: string): RowField | null {
  return FIELD_OF.get(compact(header)) ?? null;
}

/** `Phone No.`, `phone_no` and `PHONE NO (MTN)` are one name: letters and digits, without what is in parentheses. */
function compact(header: string): string {
  return header
    .replace(/\([^)]*\)|\[[^\]]*\]/g, '')
    .normalize('NFKD')
    .replace(/[^a-zA-Z0-9]/g, '')
    .toLowerCase();
}
