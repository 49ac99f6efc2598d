import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import { type Client, Query } from 'pg';

const CHUNK_LENGTH = 256 * 1024;

/** The client's part for COPY; its types leave it out. */
type CopyConnection = Readonly<{
  stream: Duplex;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(reason: string): void;
}>;

/** Sends lines, each in the text format of COPY, through one statement. */
export async function copyRows(
  client: Client,
  statement: string,
  lines: Iterable<string>,
): Promise<void> {
  const copy = new CopyQuery(statement, lines);
  const ended = once(copy, 'end');
  client.query(copy);
  await ended;
}

/** The client knows the messages of COPY, but only the query object can answer them. */
class CopyQuery extends Query {
  readonly #lines: Iterable<string>;

  constructor(text: string, lines: Iterable<string>) {
    super(text);
    this.#lines = lines;
  }

  handleCopyInResponse(connection: CopyConnection): void {
    this.#send(connection).then(
      () => connection.endCopyFrom(),
      (error: unknown) => connection.sendCopyFail(String(error)),
    );
  }

  async #send(connection: CopyConnection): Promise<void> {
    let chunk = '';
    const flush = async () => {
      connection.sendCopyFromChunk(Buffer.from(chunk));
      chunk = '';
      if (connection.stream.writableNeedDrain) await once(connection.stream, 'drain');
    };
    for (const line of this.#lines) {
      chunk += line;
      if (chunk.length >= CHUNK_LENGTH) await flush();
    }
    await flush();
  }
}
