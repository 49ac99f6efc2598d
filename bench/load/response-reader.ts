/** An answer with longer headers is not from our servers. */
const HEAD_LENGTH_MAX = 16 * 1024;
const HEAD_END = '\r\n\r\n';
const STATUS = /^HTTP\/1\.1 (\d{3}) /;
const CONTENT_LENGTH = /\r\ncontent-length: *(\d+)\r\n/i;

const RETRY_AFTER = /\r\nretry-after: *(\d+)\r\n/i;

export type Answer = Readonly<{
  status: number;
  /** The answer's Retry-After; null if it has none. */
  retryAfterSeconds: number | null;
}>;

/**
 * Reads answers from one connection and reports each one when its last byte has arrived. It supports only what our
 * servers send, HTTP/1.1 with a content-length, and ignores bodies: the process that makes the load must cost as little
 * as possible.
 */
export class ResponseReader {
  readonly #onAnswer: (answer: Answer) => void;
  #head = '';
  #answer: Answer = ANSWERED[201];
  #bodyLeft = 0;

  constructor(onAnswer: (answer: Answer) => void) {
    this.#onAnswer = onAnswer;
  }

  push(bytes: Buffer): void {
    let position = 0;
    while (position < bytes.length) {
      position = this.#bodyLeft > 0 ? this.#skip(bytes, position) : this.#read(bytes, position);
    }
  }

  #skip(bytes: Buffer, position: number): number {
    const skipped = Math.min(this.#bodyLeft, bytes.length - position);
    this.#bodyLeft -= skipped;
    if (this.#bodyLeft === 0) this.#onAnswer(this.#answer);
    return position + skipped;
  }

  #read(bytes: Buffer, position: number): number {
    const before = this.#head.length;
    const text = this.#head + bytes.toString('latin1', position);
    // The end may have begun in the piece before.
    const end = text.indexOf(HEAD_END, Math.max(0, before - HEAD_END.length));
    if (end === -1) {
      if (text.length > HEAD_LENGTH_MAX) throw new Error('an answer has endless headers');
      this.#head = text;
      return bytes.length;
    }
    this.#head = '';
    this.#readHead(text.slice(0, end + HEAD_END.length));
    if (this.#bodyLeft === 0) this.#onAnswer(this.#answer);
    return position + end + HEAD_END.length - before;
  }

  #readHead(head: string): void {
    const status = STATUS.exec(head)?.[1];
    const length = CONTENT_LENGTH.exec(head)?.[1];
    if (status === undefined || length === undefined) {
      throw new Error(`an answer cannot be read: ${head.slice(0, 200)}`);
    }
    this.#answer = toAnswer(Number(status), head);
    this.#bodyLeft = Number(length);
  }
}

/** The usual answers are created once, because there are many of them. */
const ANSWERED = {
  200: { status: 200, retryAfterSeconds: null },
  201: { status: 201, retryAfterSeconds: null },
} as const;

function toAnswer(status: number, head: string): Answer {
  if (status === 200 || status === 201) return ANSWERED[status];
  const seconds = RETRY_AFTER.exec(head)?.[1];
  return { status, retryAfterSeconds: seconds === undefined ? null : Number(seconds) };
}
