import { once } from 'node:events';
import { createServer, type Server as NetServer, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';

/** For tests: a server that treats each connection as a script says, and counts what arrives. */
export type RawServer = Readonly<{
  baseUrl: string;
  connections(): number;
  /** Connections that have ended. */
  ended(): number;
  /** Everything received so far, over all connections; over TLS the decrypted text. */
  received(): string;
  close(): Promise<void>;
}>;

/** Called with each complete request, as text; `nth` counts them over all connections, from 1. */
export type RawScript = (socket: Socket, asked: Readonly<{ request: string; nth: number }>) => void;

export async function startRawServer(
  script: RawScript,
  options: Readonly<{ host?: string; tls?: TlsOptions }> = {},
): Promise<RawServer> {
  const { host = '127.0.0.1', tls } = options;
  const sockets = new Set<Socket>();
  const chunks: string[] = [];
  let connections = 0;
  let ended = 0;
  let requests = 0;
  function serve(socket: Socket): void {
    let unread = '';
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk.toString());
      unread += chunk.toString();
      if (!isWhole(unread)) return;
      requests += 1;
      script(socket, { request: unread, nth: requests });
      unread = '';
    });
  }
  const server: NetServer =
    tls === undefined
      ? createServer(serve)
      : createTlsServer(tls, serve).on('tlsClientError', () => undefined);
  server.on('connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => {
      ended += 1;
      sockets.delete(socket);
    });
  });
  server.listen(0, host);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  const name = tls !== undefined ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return {
    baseUrl: `${tls === undefined ? 'http' : 'https'}://${name}:${address.port}`,
    connections: () => connections,
    ended: () => ended,
    received: () => chunks.join(''),
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Tests send a length with every body. */
function isWhole(text: string): boolean {
  const headEnd = text.indexOf('\r\n\r\n');
  if (headEnd < 0) return false;
  const length = Number(/\r\ncontent-length: ([0-9]+)/i.exec(text)?.[1] ?? 0);
  return Buffer.byteLength(text.slice(headEnd + 4)) >= length;
}

/** An answer as the bytes of HTTP. */
export function httpAnswer(
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): string {
  const lines = Object.entries({ 'Content-Length': String(Buffer.byteLength(body)), ...headers });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return `HTTP/1.1 ${String(status).padStart(3, '0')} X\r\n${head}\r\n${body}`;
}
