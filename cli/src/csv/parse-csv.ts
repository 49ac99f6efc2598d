/** CSV as in RFC 4180, read strictly: what could be understood in two ways is a problem. */

/** A line as a person counts them in an editor: a record with line breaks in it begins at its first. */
export type CsvRecord = Readonly<{ line: number; cells: readonly string[] }>;
export type CsvProblem = Readonly<{ line: number; reason: string }>;

export const SEPARATORS = [',', ';', '\t'] as const;
export type Separator = (typeof SEPARATORS)[number];

/** A quote that is never closed would else swallow the rest of the file. */
const CELL_CHARS_MAX = 1_000;
const CELLS_MAX = 50;

/**
 * - start: a cell begins
 * - plain: inside a cell without quotes
 * - quoted: inside quotes
 * - closed: after a quote inside quotes, which ends the cell or is the first of a pair
 * - return: after a carriage return, which only a line feed may follow
 * - broken: the record has a problem; read on to the end of its line
 */
type State = 'start' | 'plain' | 'quoted' | 'closed' | 'return' | 'broken';

const STRAY_QUOTE = 'A quote inside a cell. Put the cell in quotes, and double the one inside.';
const AFTER_QUOTE = 'Something follows a closing quote. Double the quotes inside a cell.';
const LONE_RETURN = 'A carriage return without a line feed. Save the file with usual line ends.';

/** Hands over each record as soon as it is whole. Empty lines are no records. */
export class CsvParser {
  readonly #separator: Separator;
  readonly #emit: (record: CsvRecord | CsvProblem) => void;
  #state: State = 'start';
  #cell = '';
  #cells: string[] = [];
  #line = 1;
  #recordLine = 1;

  constructor(separator: Separator, emit: (record: CsvRecord | CsvProblem) => void) {
    this.#separator = separator;
    this.#emit = emit;
  }

  read(text: string): void {
    for (const character of text) {
      this.#step(character);
      if (character === '\n') this.#line += 1;
    }
  }

  end(): void {
    if (this.#state === 'quoted') this.#breakOff('A quote is not closed before the file ends.');
    this.#endRecord();
  }

  #step(character: string): void {
    switch (this.#state) {
      case 'start':
        this.#begin(character);
        return;
      case 'plain':
        if (this.#endsCell(character)) return;
        if (character === '"') this.#breakOff(STRAY_QUOTE);
        else this.#add(character);
        return;
      case 'quoted':
        if (character === '"') this.#state = 'closed';
        else this.#add(character);
        return;
      case 'closed':
        this.#leaveQuotes(character);
        return;
      case 'return':
        if (character === '\n') this.#endRecord();
        else this.#breakOff(LONE_RETURN);
        return;
      case 'broken':
        if (character === '\n') this.#endRecord();
        return;
      default: {
        const unhandled: never = this.#state;
        throw new Error(`unhandled ${String(unhandled)}`);
      }
    }
  }

  #begin(character: string): void {
    if (this.#endsCell(character)) return;
    this.#state = character === '"' ? 'quoted' : 'plain';
    if (this.#state === 'plain') this.#add(character);
  }

  #leaveQuotes(character: string): void {
    if (this.#endsCell(character)) return;
    if (character !== '"') {
      this.#breakOff(AFTER_QUOTE);
      return;
    }
    this.#state = 'quoted';
    this.#add('"');
  }

  /** What may follow a cell; false when the character is none of it. */
  #endsCell(character: string): boolean {
    if (character === this.#separator) this.#endCell();
    else if (character === '\n') this.#endRecord();
    else if (character === '\r') this.#state = 'return';
    else return false;
    return true;
  }

  #endCell(): void {
    this.#cells.push(this.#cell);
    this.#cell = '';
    this.#state = 'start';
    if (this.#cells.length >= CELLS_MAX) this.#breakOff(`More than ${CELLS_MAX} columns.`);
  }

  #endRecord(): void {
    if (this.#state !== 'broken') {
      this.#cells.push(this.#cell);
      const isEmpty = this.#cells.every((text) => text.trim() === '');
      if (!isEmpty) this.#emit({ line: this.#recordLine, cells: this.#cells });
    }
    this.#cell = '';
    this.#cells = [];
    this.#state = 'start';
    this.#recordLine = this.#line + 1;
  }

  #breakOff(reason: string): void {
    this.#emit({ line: this.#recordLine, reason });
    this.#state = 'broken';
  }

  #add(character: string): void {
    this.#cell += character;
    if (this.#cell.length <= CELL_CHARS_MAX) return;
    const cause = this.#state === 'quoted' ? ' Is a quote not closed?' : '';
    this.#breakOff(`A cell is longer than ${CELL_CHARS_MAX} characters.${cause}`);
  }
}

/** The separator of the file, by its first line: the names of columns hold none of them. */
export function detectSeparator(firstLine: string): Separator {
  const counts = SEPARATORS.map((separator) => firstLine.split(separator).length);
  const best = Math.max(...counts);
  return SEPARATORS[counts.indexOf(best)] ?? ',';
}
