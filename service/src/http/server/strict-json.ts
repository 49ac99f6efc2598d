import { isUtf8 } from 'node:buffer';
import {
  type JsonLimits,
  ListTooLong,
  StrictJsonError,
  stringTooLong,
  tooManyKeys,
  tooManyValues,
} from './json-limits.ts';

/**
 * A parser for request bodies, written by hand because no library does all three: keep the text of a number (an amount
 * must not pass through a double), refuse a key given twice (two readers could see different amounts), and apply limits
 * before memory is spent.
 */

/** A number as it was written. The field that expects a number interprets it. */
export class JsonNumber {
  readonly lexeme: string;

  constructor(lexeme: string) {
    this.lexeme = lexeme;
  }
}

/**
 * A Map rather than an object without prototype: no key is special in it, not even `__proto__`, and filling it takes
 * less than half the time, because V8 keeps such objects as slow dictionaries. Neither type is readonly, because
 * `instanceof Map` and `Array.isArray` would then narrow to `any`.
 */
export type JsonObject = Map<string, JsonValue>;
type JsonArray = JsonValue[];
export type JsonValue = string | boolean | null | JsonNumber | JsonObject | JsonArray;

/** Reads exactly one RFC 8259 value from UTF-8 bytes. A byte order mark is refused. */
export function parseStrictJson(bytes: Uint8Array, limits: JsonLimits): JsonValue {
  if (!isUtf8(bytes)) throw new StrictJsonError('The body is not valid UTF-8.');
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  return new JsonReader(text, limits).readDocument();
}

const QUOTE = 0x22;
const PLUS = 0x2b;
const COMMA = 0x2c;
const MINUS = 0x2d;
const DOT = 0x2e;
const ZERO = 0x30;
const COLON = 0x3a;
const UPPER_E = 0x45;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const LOWER_E = 0x65;
const LOWER_F = 0x66;
const LOWER_N = 0x6e;
const LOWER_T = 0x74;
const LOWER_U = 0x75;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

const UNICODE_ESCAPE_DIGITS = 4;

/**
 * A slice of a string keeps the whole string in memory. Strings of a larger text than this are copied, so that a name
 * that is needed for hours does not keep a text of 4 MiB.
 */
const SHARED_TEXT_LENGTH_MAX = 16 * 1_024;
/** V8 copies shorter strings by itself. */
const SLICE_LENGTH_MIN = 13;

const CHARACTER_BY_ESCAPE: ReadonlyMap<number, string> = new Map(
  Object.entries({
    '"': '"',
    '\\': '\\',
    '/': '/',
    b: '\b',
    f: '\f',
    n: '\n',
    r: '\r',
    t: '\t',
  }).map(([escape, character]) => [escape.charCodeAt(0), character]),
);

class JsonReader {
  readonly #text: string;
  readonly #limits: JsonLimits;
  #position = 0;
  #depth = 0;
  #values = 0;
  /** By depth, the keys of the last object. Those in a list nearly always have the same ones, in the same order. */
  readonly #keysAt: (readonly string[])[] = [];

  constructor(text: string, limits: JsonLimits) {
    this.#text = text;
    this.#limits = limits;
  }

  readDocument(): JsonValue {
    this.#skipSpace();
    const value = this.#readValue();
    this.#skipSpace();
    if (this.#position < this.#text.length) throw this.#error('Unexpected text after the value');
    return value;
  }

  /** charCodeAt returns NaN past the end, which equals no character, so the end needs no check of its own. */
  #peek(): number {
    return this.#text.charCodeAt(this.#position);
  }

  #skipSpace(): void {
    for (;;) {
      const unit = this.#peek();
      if (unit !== 0x20 && unit !== 0x0a && unit !== 0x0d && unit !== 0x09) return;
      this.#position += 1;
    }
  }

  #readValue(): JsonValue {
    this.#values += 1;
    if (this.#values > this.#limits.valuesMax) throw tooManyValues(this.#limits);
    switch (this.#peek()) {
      case QUOTE:
        return this.#readString();
      case OPEN_BRACE:
        return this.#readObject();
      case OPEN_BRACKET:
        return this.#readArray();
      case LOWER_T:
        return this.#readWord('true', true);
      case LOWER_F:
        return this.#readWord('false', false);
      case LOWER_N:
        return this.#readWord('null', null);
      default:
        return this.#readNumber();
    }
  }

  #readWord<Value>(word: string, value: Value): Value {
    if (!this.#text.startsWith(word, this.#position)) throw this.#unexpected();
    this.#position += word.length;
    return value;
  }

  #readObject(): JsonObject {
    const members = new Map<string, JsonValue>();
    this.#enter();
    if (this.#leaveAt(CLOSE_BRACE)) return members;
    const depth = this.#depth;
    const expected = this.#keysAt[depth] ?? [];
    let isExpected = true;
    for (;;) {
      const keyPosition = this.#position;
      if (this.#peek() !== QUOTE) throw this.#unexpected();
      const key = this.#readKey(expected[members.size]);
      isExpected &&= key === expected[members.size];
      if (members.has(key)) throw this.#error('Duplicate key', keyPosition);
      this.#skipSpace();
      this.#take(COLON);
      this.#skipSpace();
      if (members.size >= this.#limits.keysMax) throw tooManyKeys(this.#limits);
      members.set(key, this.#readValue());
      this.#skipSpace();
      if (this.#leaveAt(CLOSE_BRACE)) {
        if (!isExpected && depth > 1)
          this.#keysAt[depth] = [...members.keys()].filter(isWrittenAsItIs);
        return members;
      }
      this.#take(COMMA);
      this.#skipSpace();
    }
  }

  #readArray(): JsonArray {
    const items: JsonValue[] = [];
    this.#enter();
    if (this.#leaveAt(CLOSE_BRACKET)) return items;
    for (;;) {
      if (items.length >= this.#limits.itemsMax) {
        throw new ListTooLong(this.#limits.itemsMax, this.#depth);
      }
      items.push(this.#readValue());
      this.#skipSpace();
      if (this.#leaveAt(CLOSE_BRACKET)) return items;
      this.#take(COMMA);
      this.#skipSpace();
    }
  }

  /** Steps over the opening bracket. The limit on depth also bounds the recursion. */
  #enter(): void {
    this.#depth += 1;
    const { depthMax } = this.#limits;
    if (this.#depth > depthMax) throw this.#error(`Nested more than ${depthMax} levels deep`);
    this.#position += 1;
    this.#skipSpace();
  }

  #leaveAt(closing: number): boolean {
    if (this.#peek() !== closing) return false;
    this.#position += 1;
    this.#depth -= 1;
    return true;
  }

  #take(expected: number): void {
    if (this.#peek() !== expected) throw this.#unexpected();
    this.#position += 1;
  }

  /** The expected key, if it stands here: a list of a thousand objects then makes a string of each key once. */
  #readKey(expected: string | undefined): string {
    if (expected === undefined) return this.#readString();
    const start = this.#position + 1;
    const end = start + expected.length;
    const isHere = this.#text.charCodeAt(end) === QUOTE && this.#text.startsWith(expected, start);
    if (!isHere) return this.#readString();
    this.#position = end + 1;
    return expected;
  }

  /** Most strings have no escape and are one slice of the text; others are joined from slices. */
  #readString(): string {
    const text = this.#text;
    const start = this.#position + 1;
    let index = start;
    let sliceStart = start;
    let read = '';
    for (;;) {
      const unit = text.charCodeAt(index);
      if (unit === QUOTE) break;
      if (unit === BACKSLASH) {
        read += text.slice(sliceStart, index);
        this.#position = index + 1;
        read += this.#readEscape();
        index = this.#position;
        sliceStart = index;
      } else if (unit >= 0x20) {
        index += 1;
      } else {
        this.#position = index;
        throw index < text.length
          ? this.#error('Control character in a string')
          : this.#unexpected();
      }
    }
    if (index - start > this.#limits.stringLengthMax) throw stringTooLong(this.#limits);
    this.#position = index + 1;
    const lastSlice = text.slice(sliceStart, index);
    const whole = read === '' ? lastSlice : read + lastSlice;
    const isSlice = whole.length >= SLICE_LENGTH_MIN && text.length > SHARED_TEXT_LENGTH_MAX;
    return isSlice ? copyOf(whole) : whole;
  }

  #readEscape(): string {
    const unit = this.#peek();
    if (unit === LOWER_U) return this.#readUnicodeEscape();
    const character = CHARACTER_BY_ESCAPE.get(unit);
    if (character === undefined) throw this.#error('Unknown escape in a string');
    this.#position += 1;
    return character;
  }

  /** The grammar allows half a surrogate pair; fields that hold text refuse it. */
  #readUnicodeEscape(): string {
    const start = this.#position + 1;
    const digits = this.#text.slice(start, start + UNICODE_ESCAPE_DIGITS);
    if (!/^[0-9a-fA-F]{4}$/.test(digits)) throw this.#error('Unknown escape in a string');
    this.#position = start + UNICODE_ESCAPE_DIGITS;
    return String.fromCharCode(Number.parseInt(digits, 16));
  }

  #readNumber(): JsonNumber {
    const start = this.#position;
    if (this.#peek() === MINUS) this.#position += 1;
    if (this.#peek() === ZERO) this.#position += 1;
    else this.#skipDigits();
    if (this.#peek() === DOT) {
      this.#position += 1;
      this.#skipDigits();
    }
    const unit = this.#peek();
    if (unit === LOWER_E || unit === UPPER_E) {
      this.#position += 1;
      const sign = this.#peek();
      if (sign === PLUS || sign === MINUS) this.#position += 1;
      this.#skipDigits();
    }
    return new JsonNumber(this.#text.slice(start, this.#position));
  }

  #skipDigits(): void {
    const start = this.#position;
    for (;;) {
      const unit = this.#peek();
      if (!(unit >= ZERO && unit <= 0x39)) break;
      this.#position += 1;
    }
    if (this.#position === start) throw this.#unexpected();
  }

  #unexpected(): StrictJsonError {
    const isAtEnd = this.#position >= this.#text.length;
    return isAtEnd ? this.#error('The text ends too early') : this.#error('Unexpected character');
  }

  #error(problem: string, position = this.#position): StrictJsonError {
    return new StrictJsonError(`${problem}, at character ${position + 1}.`);
  }
}

/** In a text too: no character of it would have to be escaped. */
function isWrittenAsItIs(key: string): boolean {
  for (let index = 0; index < key.length; index += 1) {
    const unit = key.charCodeAt(index);
    if (unit < 0x20 || unit === QUOTE || unit === BACKSLASH) return false;
  }
  return true;
}

/** Joining creates a new string that does not refer to the text that the old one was part of. */
function copyOf(text: string): string {
  return ` ${text}`.slice(1);
}
