import { connect, type Socket } from 'node:net';

const READ_BUFFER_BYTES = 64 * 1024;
// One buffer for every read of every connection: each read is handled before the next.
const READ_BUFFER = Buffer.alloc(READ_BUFFER_BYTES);

type SocketOptions = Readonly<{
  port: number;
  /** Ends the connection at once. */
  signal: AbortSignal;
  onBroken: (error: unknown) => void;
}>;

/** Resolves once connected. Nothing is allocated for a read, and there is no stream in between. */
export function openSocket(
  { port, signal, onBroken }: SocketOptions,
  onBytes: (bytes: Buffer) => void,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({
      host: '127.0.0.1',
      port,
      noDelay: true,
      onread: {
        buffer: READ_BUFFER,
        callback(length, buffer) {
          try {
            onBytes(Buffer.from(buffer.buffer, buffer.byteOffset, length));
          } catch (error) {
            onBroken(error);
          }
          return true;
        },
      },
    });
    socket.once('connect', () => resolve(socket));
    const fail = (error: unknown) => {
      reject(error);
      if (!signal.aborted) onBroken(error);
    };
    socket.on('error', fail);
    socket.on('close', () => fail(new Error('the server closed a connection')));
    signal.addEventListener('abort', () => socket.destroy(), { once: true });
  });
}
