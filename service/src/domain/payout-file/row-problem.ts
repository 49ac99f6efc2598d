import type { RowField } from './row-fields.ts';

/** Why a row cannot be paid. What is stored is the code; people read the sentence. */
export const ROW_PROBLEMS = {
  REQUIRED: 'Missing. Fill it in.',
  INVALID_PHONE:
    'Not a mobile number of the country, such as +260977433571 in Zambia or +2348031234567 in Nigeria.',
  DIGITS_LOST:
    'A spreadsheet shortened this number and its last digits are lost. Format the column as text, and enter it again.',
  INVALID_AMOUNT: 'Write it like 1250.50: from 0.01 to 1000000000.00.',
  TOO_MANY_DECIMALS: 'More than 2 decimals. Write it like 1250.50.',
  AMBIGUOUS_AMOUNT: 'It can be read in two ways. Write a dot before the decimals, such as 1250.50.',
  AMOUNT_IN_OTHER_CURRENCY:
    'The cell or its column names another currency than the number is paid in. Write the amount in the currency of the number, such as 1250.50.',
  EXTRA_CELLS:
    'The row has more cells than the header, so a comma may have cut this amount. Write the amount again, such as 1250.50. Or name every column, put cells with commas in quotes, and upload the file again.',
  AMOUNT_CUT:
    'The next cell has three digits, so a comma may have cut this amount in two, as in 1,250. Write the amount again, such as 1250.50. Or put the amounts in quotes, and upload the file again.',
  INVALID_OPERATOR: 'Write one of airtel, mtn, zamtel, vodacom.',
  OPERATOR_UNKNOWN:
    'The number does not tell its operator. Write one of airtel, mtn, zamtel, vodacom.',
  INVALID_COUNTRY: 'Write zm or ng.',
  OTHER_CURRENCY: 'A number of another country. A file pays in one currency.',
  OTHER_WALLET: 'A file pays from one wallet: this row names another one.',
  INVALID_WALLET_ID: 'No wallet of this book has this id.',
  INVALID_REFERENCE: '1 to 100 letters, digits, dots, underscores or hyphens.',
  REFERENCE_REPEATED: 'Another row has this reference. Each row needs one of its own.',
  REFERENCE_TAKEN:
    'A payout of this book has this reference already. Drop the row, or give it another reference.',
  TOO_LONG: 'At most 100 characters.',
  INVALID_TEXT: 'Text without line breaks, control characters or bidirectional overrides.',
  OPERATOR_NOT_AVAILABLE: 'No route to this operator in this country is set up.',
  AMOUNT_OUT_OF_BOUNDS: 'The operator does not take this amount.',
  RECIPIENT_DENIED: 'The number is on a deny list.',
  NO_ACCOUNT: 'The operator has no account for this number.',
} as const;
export type RowProblemCode = keyof typeof ROW_PROBLEMS;

/** What is worth a look before paying. */
export const ROW_WARNINGS = {
  SAME_IN_FILE: 'The same number and amount as another row.',
  SAME_REFERENCE: 'The same reference as another row.',
  SIMILAR_PAYOUT: 'The same amount was paid to this number in the last 7 days.',
  SIMILAR_WAITING:
    'Another file pays the same amount to this number, and waits for approval or for its time.',
  OTHER_OPERATOR: 'The number began at another operator.',
  HIDDEN_ROW: 'The row is hidden in the workbook.',
  NAME_MISMATCH: 'The operator has another name for this number.',
  NAME_CLOSE: 'The operator has a similar name for this number.',
} as const;
export type RowWarningCode = keyof typeof ROW_WARNINGS;

export type RowProblem = Readonly<{ code: RowProblemCode; field: RowField }>;

export type RowWarning = Readonly<{
  code: RowWarningCode;
  field: RowField;
  /** The other row of the file. */
  row?: number;
  /** The earlier transfer. */
  transferId?: string;
  /** The other file. */
  fileId?: string;
}>;

/** Why a whole file cannot be read. */
export const FILE_PROBLEMS = {
  NOT_A_TABLE: 'This is neither CSV nor XLSX. Save it as one of them.',
  OLD_EXCEL:
    'This is a workbook of an old kind, or one with a password. Save it as XLSX without a password.',
  BROKEN: 'The file is damaged. Open it and save it again as XLSX or CSV.',
  EXPANDS_TOO_MUCH:
    'Unpacked, the workbook is larger than a list of 50,000 payouts can be. Copy the rows to pay into a new one.',
  EMPTY: 'There is no row below the header.',
  NO_HEADER:
    'No row among the first 20 has a column for the number and one for the amount. Name them phone and amount.',
  TWO_COLUMNS:
    'Two columns mean the number, or two mean the amount, so it is not clear which one to pay. Remove one of them, or rename it.',
  TOO_MANY_ROWS: 'A file has at most 50,000 rows. Split it.',
  TOO_MUCH_TEXT: 'The cells hold more text than a list of 50,000 payouts needs.',
  OPEN_QUOTE: 'A quote is not closed. Close it, or double it when it is part of the text.',
  TOO_SLOW: 'It takes too long to read. Save it again with nothing but the rows to pay.',
} as const;
export type FileProblemCode = keyof typeof FILE_PROBLEMS;
