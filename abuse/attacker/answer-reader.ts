export type Answer = Readonly<{
  status: number;
  headers: ReadonlyMap<string, string>;
  body: Buffer;
}>;

const HEAD_END = '\r\n\r\n';
const INFORMATIONAL_MAX = 199;

/** Reads HTTP/1.1 answers from a connection's bytes, one after the other. */
export class AnswerReader {
  #received: Buffer = Buffer.alloc(0);
  readonly #isHead: boolean;

  /** Answers to HEAD announce a body that never comes. */
  constructor(isHead = false) {
    this.#isHead = isHead;
  }

  /** The answers that these bytes complete. */
  push(chunk: Buffer): readonly Answer[] {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    const answers: Answer[] = [];
    for (let next = this.#take(); next !== undefined; next = this.#take()) {
      if (next.status > INFORMATIONAL_MAX) answers.push(next);
    }
    return answers;
  }

  /** Bytes that belong to no complete answer. */
  get rest(): Buffer {
    return this.#received;
  }

  #take(): Answer | undefined {
    const headEnd = this.#received.indexOf(HEAD_END);
    if (headEnd < 0) return undefined;
    const [first = '', ...lines] = this.#received
      .subarray(0, headEnd)
      .toString('latin1')
      .split('\r\n');
    const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(first)?.[1] ?? Number.NaN);
    if (Number.isNaN(status)) return undefined;
    const headers = new Map(
      lines.map((line) => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
      }),
    );
    const start = headEnd + HEAD_END.length;
    const body = this.#takeBody(start, { status, headers });
    return body && { status, headers, body };
  }

  #takeBody(start: number, { status, headers }: Omit<Answer, 'body'>): Buffer | undefined {
    const hasNone = this.#isHead || status <= INFORMATIONAL_MAX || status === 204 || status === 304;
    if (headers.get('transfer-encoding') === 'chunked' && !hasNone) return this.#takeChunks(start);
    const length = hasNone ? 0 : Number(headers.get('content-length') ?? 0);
    const end = start + length;
    if (this.#received.length < end) return undefined;
    const body = this.#received.subarray(start, end);
    this.#received = this.#received.subarray(end);
    return body;
  }

  #takeChunks(start: number): Buffer | undefined {
    const chunks: Buffer[] = [];
    for (let at = start; ; ) {
      const lineEnd = this.#received.indexOf('\r\n', at);
      if (lineEnd < 0) return undefined;
      const size = Number.parseInt(this.#received.subarray(at, lineEnd).toString('latin1'), 16);
      const next = lineEnd + 2 + size + 2;
      if (Number.isNaN(size) || this.#received.length < next) return undefined;
      chunks.push(this.#received.subarray(lineEnd + 2, next - 2));
      at = next;
      if (size > 0) continue;
      this.#received = this.#received.subarray(next);
      return Buffer.concat(chunks);
    }
  }
}
