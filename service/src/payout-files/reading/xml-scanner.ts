import { FileUnreadable } from './file-unreadable.ts';
import { XML_TOKEN_LENGTH_MAX } from './table-limits.ts';

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
    const next = text[start + 1];
    if (next === '?') return;
    if (next === '!') {
      if (text.startsWith('<![CDATA[', start)) {
        this.#handler.text(text.slice(start + 9, end - 3));
        return;
      }
      if (!text.startsWith('<!--', start)) throw broken();
      return;
    }
    if (next === '/') {
      this.#handler.close(withoutNamespace(text.slice(start + 2, end - 1).trimEnd()));
      return;
    }
    const isEmpty = text[end - 2] === '/';
    const tag = text.slice(start + 1, isEmpty ? end - 2 : end - 1);
    const nameEnd = tag.search(/\s/);
    const name = withoutNamespace(nameEnd === -1 ? tag : tag.slice(0, nameEnd));
    this.#handler.open(name, nameEnd === -1 ? '' : tag.slice(nameEnd));
    if (isEmpty) this.#handler.close(name);
  }
}

/** The position behind the token that starts here; -1: its end has not arrived. */
function findTokenEnd(text: string, start: number): number {
  if (text.startsWith('<!--', start)) return behind(text, '-->', start + 4);
  if (text.startsWith('<![CDATA[', start)) return behind(text, ']]>', start + 9);
  // What may become one of the two cannot be told yet.
  if (text[start + 1] === '!' && text.length - start < 9) return -1;
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

const GREATER = 0x3e;
const DOUBLE_QUOTE = 0x22;
const SINGLE_QUOTE = 0x27;

function behind(text: string, closing: string, from: number): number {
  const at = text.indexOf(closing, from);
  return at === -1 ? -1 : at + closing.length;
}

function withoutNamespace(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

/** The value of an attribute, in either quotes; undefined: the tag has none. */
export function attributeOf(attributes: string, name: string): string | undefined {
  let at = attributes.indexOf(name);
  for (; at !== -1; at = attributes.indexOf(name, at + 1)) {
    const before = attributes[at - 1];
    const isWhole =
      before === ' ' || before === '\n' || before === '\t' || before === '\r' || before === ':';
    const match = isWhole ? VALUE.exec(attributes.slice(at + name.length)) : null;
    if (match !== null) return decodeEntities(match[1] ?? match[2] ?? '');
  }
  return undefined;
}

const VALUE = /^\s*=\s*(?:"([^"]*)"|'([^']*)')/;

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
