import type { ClientBase, Submittable } from 'pg';
import { dropSocket } from './session.ts';

/** A statement is sent in pieces of about this size. */
const PIECE_BYTES = 64 * 1_024;

/** What pg's connection has, of which its types say nothing. */
type CopyConnection = Readonly<{
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(message: string): void;
  stream: Readonly<{
    pause(): unknown;
    resume(): unknown;
    writableNeedDrain: boolean;
    once(event: 'drain', listener: () => void): unknown;
  }>;
}>;

type Receiver = Readonly<{
  /** Whether it takes more at once. */
  write(piece: Buffer): boolean;
  onDrain(listener: () => void): void;
  end(): void;
  fail(message: string): void;
  done: Promise<void>;
}>;

/**
 * Streams the rows of a COPY … TO STDOUT into a COPY … FROM STDIN of another connection, without holding more than a
 * few pieces in memory. Rejects with the error of the one that failed; both transactions must then be rolled back. The
 * connection of a source that still had rows when the target failed is dropped; its server notices at the next write.
 */
export async function copyRows(
  source: Readonly<{ client: ClientBase; text: string }>,
  target: Readonly<{ client: ClientBase; text: string }>,
): Promise<void> {
  const receiver = await receive(target.client, target.text);
  try {
    await send(source.client, { text: source.text, receiver });
  } catch (error) {
    receiver.fail('the rows could not be read');
    await receiver.done.catch(() => undefined);
    throw error;
  }
  receiver.end();
  await receiver.done;
}

/** Resolves when the server is ready for rows. */
function receive(client: ClientBase, text: string): Promise<Receiver> {
  return new Promise((resolve, reject) => {
    let ended = false;
    let failure: Error | undefined;
    const settled = Promise.withResolvers<void>();
    // The rows may fail while they are still being sent; who waits for `done` is told later.
    settled.promise.catch(() => undefined);
    const onReady = (connection: CopyConnection): void =>
      resolve({
        write(piece) {
          if (failure === undefined) connection.sendCopyFromChunk(piece);
          return failure !== undefined || !connection.stream.writableNeedDrain;
        },
        onDrain: (listener) => void connection.stream.once('drain', listener),
        end() {
          if (!ended && failure === undefined) connection.endCopyFrom();
          ended = true;
        },
        fail(message) {
          if (!ended && failure === undefined) connection.sendCopyFail(message);
          ended = true;
        },
        done: settled.promise,
      });
    submit(client, {
      text,
      onCopyIn: onReady,
      onEnd(error) {
        failure = error;
        if (error === undefined) return settled.resolve();
        settled.reject(error);
        reject(error);
      },
    });
  });
}

function send(
  client: ClientBase,
  { text, receiver }: Readonly<{ text: string; receiver: Receiver }>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let rows: Buffer[] = [];
    let bytes = 0;
    const flush = (connection?: CopyConnection): void => {
      const hasRoom = receiver.write(Buffer.concat(rows, bytes));
      rows = [];
      bytes = 0;
      if (hasRoom || connection === undefined) return;
      connection.stream.pause();
      receiver.onDrain(() => connection.stream.resume());
    };
    let hasEnded = false;
    // A source could send for hours to no purpose, or be paused until a target that is gone takes more.
    receiver.done.catch((error: Error) => {
      if (!hasEnded) dropSocket(client, error);
    });
    submit(client, {
      text,
      onRow(chunk, connection) {
        // A copy: the parser uses its buffer again.
        rows.push(Buffer.from(chunk));
        bytes += chunk.length;
        if (bytes >= PIECE_BYTES) flush(connection);
      },
      onEnd(error, connection) {
        hasEnded = true;
        // The answers to the next statements must be read, even if the target never takes more.
        connection.stream.resume();
        if (error !== undefined) return reject(error);
        if (bytes > 0) flush();
        resolve();
      },
    });
  });
}

type Handlers = Readonly<{
  text: string;
  onRow?: (chunk: Buffer, connection: CopyConnection) => void;
  onCopyIn?: (connection: CopyConnection) => void;
  onEnd: (error: Error | undefined, connection: CopyConnection) => void;
}>;

function submit(client: ClientBase, handlers: Handlers): void {
  const ignore = (): void => undefined;
  const query = {
    submit: (connection: CopyConnection) => connection.query(handlers.text),
    handleCopyInResponse: (connection: CopyConnection) => handlers.onCopyIn?.(connection),
    handleCopyData: (message: { chunk: Buffer }, connection: CopyConnection) =>
      handlers.onRow?.(message.chunk, connection),
    // The last that pg tells about a statement that failed. It sends the next one when the server is ready again.
    handleError: (error: Error, connection: CopyConnection) => handlers.onEnd(error, connection),
    handleReadyForQuery: (connection: CopyConnection) => handlers.onEnd(undefined, connection),
    handleCommandComplete: ignore,
    handleRowDescription: ignore,
    handleDataRow: ignore,
    handlePortalSuspended: ignore,
    handleEmptyQuery: ignore,
  };
  client.query(query as unknown as Submittable);
}
