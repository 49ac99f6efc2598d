import { FileUnreadable } from './file-unreadable.ts';
import { TAG_LENGTH_MAX, XML_TOKEN_LENGTH_MAX } from './table-limits.ts';

/**
 * Reads the XML inside workbooks piece by piece, by hand: programs write it, a few elements matter, and a document type,
 * with which entities can be made to grow without end, is refused.
 */
export type XmlHandler = Readonly<{
  /** Names are without their namespace. `attributes` is the rest of the tag, for `attributeOf`. */
  open(name: string, attributes: string): void;
  close(name: string): void;
  /** The text since the last tag, with its entities replaced. */
  text(text: string): void;
}>;

const broken = (): FileUnreadable => new FileUnreadable('BROKEN');

export class XmlScanner {
  readonly #handler: XmlHandler;
  readonly #decoder = new TextDecoder('utf-8');
  #rest = '';

  constructor(handler: XmlHandler) {
    this.#handler = handler;
  }

  feed(piece: Uint8Array): void {
    this.#scan(this.#rest + this.#decoder.decode(piece, { stream: true }));
  }

  end(): void {
    this.#scan(this.#rest + this.#decoder.decode());
    if (this.#rest.includes('<')) throw broken();
  }

  #scan(text: string): void {
    let at = 0;
    for (;;) {
      const start = text.indexOf('<', at);
      const end = start === -1 ? -1 : findTokenEnd(text, start);
      if (end === -1) break;
      if (start > at) this.#handler.text(decodeEntities(text.slice(at, start)));
      this.#take(text, start, end);
      at = end;
    }
    this.#rest = text.slice(at);
    if (this.#rest.length > XML_TOKEN_LENGTH_MAX) throw broken();
  }

  #take(text: string, start: number, end: number): void {
    switch (text.charCodeAt(start + 1)) {
      case QUESTION:
        return;
      case EXCLAMATION:
        if (text.startsWith(CDATA, start)) {
          this.#handler.text(text.slice(start + CDATA.length, end - CDATA_END.length));
        } else if (!text.startsWith(COMMENT, start)) throw broken();
        return;
      case SLASH:
        this.#handler.close(withoutNamespace(text.slice(start + 2, end - 1).trimEnd()));
        return;
      default:
        this.#takeTag(text, start, end);
    }
  }

  #takeTag(text: string, start: number, end: number): void {
    const isEmpty = text.charCodeAt(end - 2) === SLASH;
    const tagEnd = isEmpty ? end - 2 : end - 1;
    let nameEnd = start + 1;
    while (nameEnd < tagEnd && !isSpace(text.charCodeAt(nameEnd))) nameEnd += 1;
    const name = withoutNamespace(text.slice(start + 1, nameEnd));
    this.#handler.open(name, text.slice(nameEnd, tagEnd));
    if (isEmpty) this.#handler.close(name);
  }
}

const COMMENT = '<!--';
const COMMENT_END = '-->';
const CDATA = '<![CDATA[';
const CDATA_END = ']]>';

/** The position behind the token that starts here; -1: its end has not arrived. */
function findTokenEnd(text: string, start: number): number {
  if (text.charCodeAt(start + 1) === EXCLAMATION) {
    // What may become one of the two cannot be told yet.
    if (text.length - start < CDATA.length) return -1;
    if (text.startsWith(COMMENT, start)) return behind(text, COMMENT_END, start + COMMENT.length);
    if (text.startsWith(CDATA, start)) return behind(text, CDATA_END, start + CDATA.length);
  }
  const end = findTagEnd(text, start);
  if ((end === -1 ? text.length : end) - start <= TAG_LENGTH_MAX) return end;
  throw new FileUnreadable(
    'BROKEN',
    `A tag is longer than ${TAG_LENGTH_MAX.toLocaleString('en')} characters.`,
  );
}

function findTagEnd(text: string, start: number): number {
  // A greater-than sign may stand inside an attribute.
  let quote = 0;
  for (let at = start + 1; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (quote !== 0) {
      if (unit === quote) quote = 0;
    } else if (unit === GREATER) return at + 1;
    else if (unit === DOUBLE_QUOTE || unit === SINGLE_QUOTE) quote = unit;
  }
  return -1;
}

const EXCLAMATION = 0x21;
const DOUBLE_QUOTE = 0x22;
const SINGLE_QUOTE = 0x27;
const SLASH = 0x2f;
const COLON = 0x3a;
const EQUALS = 0x3d;
const GREATER = 0x3e;
const QUESTION = 0x3f;

/** A space, tab or line break: XML has no others, and no other characters up to the space. */
function isSpace(unit: number): boolean {
  return unit <= 0x20;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && isSpace(text.charCodeAt(at))) at += 1;
  return at;
}

function behind(text: string, closing: string, from: number): number {
  const at = text.indexOf(closing, from);
  return at === -1 ? -1 : at + closing.length;
}

function withoutNamespace(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

/** The value of an attribute, in either quotes; undefined: the tag has none. Looks at each character once. */
export function attributeOf(attributes: string, name: string): string | undefined {
  for (let at = skipSpace(attributes, 0); at < attributes.length; ) {
    const nameStart = at;
    const nameEnd = findNameEnd(attributes, nameStart);
    const equals = skipSpace(attributes, nameEnd);
    if (attributes.charCodeAt(equals) !== EQUALS) throw broken();
    const opening = skipSpace(attributes, equals + 1);
    const closing = findClosingQuote(attributes, opening);
    if (isNamed(attributes.slice(nameStart, nameEnd), name)) {
      return decodeEntities(attributes.slice(opening + 1, closing));
    }
    at = skipSpace(attributes, closing + 1);
  }
  return undefined;
}

function findNameEnd(attributes: string, from: number): number {
  let at = from;
  for (; at < attributes.length; at += 1) {
    const unit = attributes.charCodeAt(at);
    if (unit === EQUALS || isSpace(unit)) break;
  }
  return at;
}

function findClosingQuote(attributes: string, opening: number): number {
  const unit = attributes.charCodeAt(opening);
  if (unit !== DOUBLE_QUOTE && unit !== SINGLE_QUOTE) throw broken();
  const closing = attributes.indexOf(unit === DOUBLE_QUOTE ? '"' : "'", opening + 1);
  if (closing === -1) throw broken();
  return closing;
}

/** With a namespace or without. */
function isNamed(full: string, name: string): boolean {
  if (full.length === name.length) return full === name;
  return full.charCodeAt(full.length - name.length - 1) === COLON && full.endsWith(name);
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};

function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(
    /&(?:#x([0-9a-f]{1,6})|#([0-9]{1,7})|([a-z]{2,4}));/gi,
    (all, hex, decimal, name) => {
      if (name !== undefined) return ENTITIES[name] ?? all;
      const code = Number.parseInt(hex ?? decimal, hex === undefined ? 10 : 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : all;
    },
  );
}
