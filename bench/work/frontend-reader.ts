/** A message that a client sends to PostgreSQL: one letter, four bytes of length, and the rest. The first has no letter. */
const LETTER_BYTES = 1;
const LENGTH_BYTES = 4;
const BIND = 'B'.charCodeAt(0);
const PARSE = 'P'.charCodeAt(0);
const QUERY = 'Q'.charCodeAt(0);
/** Enough to tell one statement from another. */
const TEXT_SHOWN = 60;

/** Reads what a client sends to PostgreSQL, and reports each statement that it executes. */
export class FrontendReader {
  readonly #onStatement: (statement: string) => void;
  #rest: Buffer = Buffer.alloc(0);
  #hasStarted = false;
  /** The text of the last statement without a name. */
  #unnamed = '';

  constructor(onStatement: (statement: string) => void) {
    this.#onStatement = onStatement;
  }

  read(bytes: Buffer): void {
    let data = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    for (;;) {
      const before = this.#hasStarted ? LETTER_BYTES : 0;
      if (data.length < before + LENGTH_BYTES) break;
      const end = before + data.readUInt32BE(before);
      if (data.length < end) break;
      if (this.#hasStarted)
        this.#readMessage(data[0] ?? 0, data.subarray(before + LENGTH_BYTES, end));
      this.#hasStarted = true;
      data = data.subarray(end);
    }
    this.#rest = data;
  }

  #readMessage(letter: number, body: Buffer): void {
    if (letter === QUERY) this.#onStatement(shorten(textAt(body, 0)));
    if (letter === PARSE) {
      const name = textAt(body, 0);
      if (name === '') this.#unnamed = shorten(textAt(body, 1));
    }
    if (letter === BIND) {
      const portal = textAt(body, 0);
      const name = textAt(body, Buffer.byteLength(portal) + 1);
      this.#onStatement(name === '' ? this.#unnamed : name);
    }
  }
}

/** Up to the zero byte that ends it. */
function textAt(body: Buffer, start: number): string {
  return body.toString('utf8', start, body.indexOf(0, start));
}

function shorten(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, TEXT_SHOWN);
}
