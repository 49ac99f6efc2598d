import { FileUnreadable } from './file-unreadable.ts';
import { type Table, TableBuilder } from './table-builder.ts';
import { CELL_LENGTH_MAX, COLUMNS_MAX } from './table-limits.ts';
import { decodeEscapes, readPart, readWorkbook, StopReading, type Workbook } from './workbook.ts';
import { attributeOf, type XmlHandler } from './xml-scanner.ts';
import { ZipArchive } from './zip-archive.ts';

/**
 * Reads a list of payouts from a workbook: the first visible sheet that has one. By hand, because the libraries that
 * read workbooks either are no longer maintained or hold the whole workbook in memory before any bound applies.
 */
export async function readXlsx(bytes: Buffer): Promise<Table> {
  const zip = new ZipArchive(bytes);
  const workbook = await readWorkbook(zip);
  let found: Readonly<{ name: string; builder: TableBuilder }> | undefined;
  const otherSheets: string[] = [];
  for (const { name, path } of workbook.sheets) {
    const builder = new TableBuilder();
    // Of further sheets only the header is looked for.
    const isWanted = found === undefined;
    await readPart(zip, path, new SheetReader(workbook, builder, isWanted));
    if (builder.columns === undefined) continue;
    if (found === undefined) found = { name, builder };
    else otherSheets.push(name);
  }
  if (found === undefined) throw new FileUnreadable('NO_HEADER');
  return found.builder.build({ format: 'xlsx', sheet: found.name, otherSheets });
}

class SheetReader implements XmlHandler {
  readonly #workbook: Workbook;
  readonly #builder: TableBuilder;
  readonly #isWanted: boolean;
  #cells: string[] = [];
  #line = 0;
  #isHidden = false;
  #column = -1;
  #type = 'n';
  #isDate = false;
  #value = '';
  #isValue = false;
  #isHint = false;

  constructor(workbook: Workbook, builder: TableBuilder, isWanted: boolean) {
    this.#workbook = workbook;
    this.#builder = builder;
    this.#isWanted = isWanted;
  }

  // The scanner calls these without the object that they belong to.
  open = (name: string, attributes: string): void => {
    if (name === 'row') this.#openRow(attributes);
    else if (name === 'c') this.#openCell(attributes);
    else if (name === 'v' || name === 't') this.#isValue = true;
    else if (name === 'rPh') this.#isHint = true;
  };

  close = (name: string): void => {
    if (name === 'v' || name === 't') this.#isValue = false;
    else if (name === 'rPh') this.#isHint = false;
    else if (name === 'c') this.#closeCell();
    else if (name === 'row') this.#closeRow();
  };

  text = (text: string): void => {
    if (!this.#isValue || this.#isHint || this.#value.length >= CELL_LENGTH_MAX) return;
    this.#value += text.slice(0, CELL_LENGTH_MAX);
  };

  #openRow(attributes: string): void {
    this.#cells = [];
    this.#column = -1;
    const line = Number(attributeOf(attributes, 'r'));
    this.#line = Number.isSafeInteger(line) && line > this.#line ? line : this.#line + 1;
    this.#isHidden = isTrue(attributeOf(attributes, 'hidden'));
  }

  #openCell(attributes: string): void {
    this.#column = columnOf(attributeOf(attributes, 'r')) ?? this.#column + 1;
    this.#type = attributeOf(attributes, 't') ?? 'n';
    this.#isDate = this.#workbook.dateStyles[Number(attributeOf(attributes, 's') ?? -1)] === true;
    this.#value = '';
  }

  #closeCell(): void {
    if (this.#column >= COLUMNS_MAX) return;
    while (this.#cells.length < this.#column) this.#cells.push('');
    this.#cells[this.#column] = this.#read();
  }

  #closeRow(): void {
    this.#builder.add(this.#cells, this.#line, { isHidden: this.#isHidden });
    const isEnough = !this.#isWanted && this.#builder.columns !== undefined;
    if (isEnough || this.#builder.hasNoHeader) throw new StopReading();
  }

  #read(): string {
    const value = this.#value;
    if (value === '') return '';
    switch (this.#type) {
      case 's':
        return this.#workbook.texts[Number(value)] ?? '';
      case 'b':
        return value === '1' ? 'TRUE' : 'FALSE';
      case 'n':
        return this.#isDate ? dateOf(value) : numberOf(value);
      // Texts in the cell itself or from a formula, dates in ISO 8601, and errors such as #N/A.
      default:
        return decodeEscapes(value);
    }
  }
}

function isTrue(text: string | undefined): boolean {
  return text === '1' || text === 'true';
}

/** `C12` is column 2, counted from 0. */
function columnOf(reference: string | undefined): number | undefined {
  const [letters] = /^[A-Z]{1,3}/.exec(reference ?? '') ?? [];
  if (letters === undefined) return undefined;
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
}

/** Spreadsheets calculate and show at most this many digits; further ones are noise of the binary number. */
const DIGITS_EXACT = 15;

/** A number as a person sees it: 2.60977433571E11 is 260977433571, and 0.30000000000000004 is 0.3. */
function numberOf(value: string): string {
  const number = Number(value);
  if (!Number.isFinite(number)) return value;
  return String(Number(number.toPrecision(DIGITS_EXACT)));
}

const DAY_MS = 86_400_000;
/** Day 0 of spreadsheets, which believe that 1900 was a leap year. */
const DAY_ZERO_MS = Date.UTC(1899, 11, 30);
const DAYS_MAX = 2_958_465;

function dateOf(value: string): string {
  const days = Number(value);
  if (!(days >= 0 && days <= DAYS_MAX)) return value;
  return new Date(DAY_ZERO_MS + days * DAY_MS).toISOString().slice(0, 'YYYY-MM-DD'.length);
}
