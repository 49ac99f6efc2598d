import {
  type JsonLimits,
  ListTooLong,
  StrictJsonError,
  stringTooLong,
  tooManyKeys,
  tooManyValues,
} from './json-limits.ts';

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/**
 * Counts what a JSON text contains while it arrives, and refuses it at the first excess: before the rest is read and
 * before anything is parsed. It does not check that the text is JSON; the parser does, with the same limits. Commas and
 * brackets outside of strings are enough: every value but the first of an array or object follows a comma.
 */
export class BodyScanner {
  readonly #limits: JsonLimits;
  /** For each open array or object: whether it is an array, and its commas so far. */
  readonly #isArray: boolean[] = [];
  readonly #commas: number[] = [];
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  #stringLength = 0;
  #values = 1;

  constructor(limits: JsonLimits) {
    this.#limits = limits;
  }

  /** At least the number of values in the text so far. */
  get values(): number {
    return this.#values;
  }

  /** Throws a StrictJsonError if a limit is exceeded. */
  scan(chunk: Uint8Array): void {
    let index = 0;
    while (index < chunk.length) {
      index = this.#isInString ? this.#scanString(chunk, index) : this.#scanOutside(chunk, index);
    }
  }

  /** Returns where the string ends, or the end of the chunk. */
  #scanString(chunk: Uint8Array, start: number): number {
    let index = start;
    while (index < chunk.length) {
      const byte = chunk[index];
      index += 1;
      if (this.#isEscaped) this.#isEscaped = false;
      else if (byte === BACKSLASH) this.#isEscaped = true;
      else if (byte === QUOTE) {
        this.#isInString = false;
        break;
      }
    }
    // Counts bytes and the closing quote, not characters: more than four times the limit is certainly too long.
    this.#stringLength += index - start;
    if (this.#stringLength > UTF8_BYTES_MAX * this.#limits.stringLengthMax + 1) {
      throw stringTooLong(this.#limits);
    }
    return index;
  }

  /** Returns where the next string begins, or the end of the chunk. */
  #scanOutside(chunk: Uint8Array, start: number): number {
    for (let index = start; index < chunk.length; index += 1) {
      switch (chunk[index]) {
        case QUOTE:
          this.#isInString = true;
          this.#stringLength = 0;
          return index + 1;
        case COMMA:
          this.#countComma();
          break;
        case OPEN_BRACE:
        case OPEN_BRACKET:
          this.#open(chunk[index] === OPEN_BRACKET);
          break;
        case CLOSE_BRACE:
        case CLOSE_BRACKET:
          if (this.#depth > 0) this.#depth -= 1;
          break;
      }
    }
    return chunk.length;
  }

  #open(isArray: boolean): void {
    const { depthMax } = this.#limits;
    if (this.#depth >= depthMax) {
      throw new StrictJsonError(`Nested more than ${depthMax} levels deep.`);
    }
    this.#isArray[this.#depth] = isArray;
    this.#commas[this.#depth] = 0;
    this.#depth += 1;
    // Counts its first member, if it has one; the array or object was itself counted as a member.
    this.#countValue();
  }

  #countComma(): void {
    this.#countValue();
    if (this.#depth === 0) return;
    const innermost = this.#depth - 1;
    const members = (this.#commas[innermost] ?? 0) + 1;
    this.#commas[innermost] = members;
    const { itemsMax, keysMax } = this.#limits;
    if (this.#isArray[innermost] !== true) {
      if (members >= keysMax) throw tooManyKeys(this.#limits);
    } else if (members >= itemsMax) throw new ListTooLong(itemsMax, this.#depth);
  }

  #countValue(): void {
    this.#values += 1;
    // Empty arrays and objects are counted twice, hence the doubled limit: what the parser accepts is never refused
    // here.
    if (this.#values > 2 * this.#limits.valuesMax) throw tooManyValues(this.#limits);
  }
}

const UTF8_BYTES_MAX = 4;
