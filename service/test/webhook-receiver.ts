import { once } from 'node:events';
import {
  createServer as createHttpServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';

/** What the receiver does with one request. */
export type Behaviour =
  | Readonly<{ status: number; headers?: Readonly<Record<string, string>>; body?: string }>
  | 'hang'
  | 'reset'
  /** 200, and a body without an end. */
  | 'huge'
  /** 200, and then silence in the middle of the body. */
  | 'stall'
  /** Bytes that are not HTTP. */
  | 'garbage';

/** One request as it arrived, before it was verified. */
export type Received = Readonly<{
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  atMs: number;
  /** The n-th request with its webhook-id, from 1. */
  nth: number;
  behaviour: Behaviour;
}>;

export type WebhookReceiver = Readonly<{
  /** With the port; for the path `/` or any other. */
  url(path?: string): string;
  journal: readonly Received[];
  /** Connections made so far. */
  connections(): number;
  /** Ends all connections and refuses new ones until `open`. */
  shut(): Promise<void>;
  open(): Promise<void>;
  close(): Promise<void>;
}>;

type Script = (request: Omit<Received, 'behaviour'>) => Behaviour;
export type ReceiverOptions = Readonly<{
  script?: Script;
  tls?: Readonly<{ key: string; cert: string }>;
}>;

const OK: Behaviour = { status: 204 };

/** A real receiver on loopback. It records what arrives, verifies nothing, and does what the script says. */
export async function startWebhookReceiver(
  options: ReceiverOptions = {},
): Promise<WebhookReceiver> {
  const { script = () => OK, tls } = options;
  const journal: Received[] = [];
  const seen = new Map<string, number>();
  let connections = 0;
  let port = 0;
  let server: Server | undefined;

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const id = String(request.headers['webhook-id']);
    const nth = (seen.get(id) ?? 0) + 1;
    seen.set(id, nth);
    const received = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      body: Buffer.concat(chunks).toString('utf8'),
      atMs: performance.now(),
      nth,
    };
    const behaviour = script(received);
    journal.push({ ...received, behaviour });
    behave(behaviour, response);
  }

  async function open(): Promise<void> {
    const listener = (request: IncomingMessage, response: ServerResponse): void => {
      // A request that breaks off is not a delivery.
      receive(request, response).catch(() => response.destroy());
    };
    server = tls === undefined ? createHttpServer(listener) : createHttpsServer(tls, listener);
    server.on('connection', () => {
      connections += 1;
    });
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
  }

  async function shut(): Promise<void> {
    if (server === undefined) return;
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
    server = undefined;
  }

  await open();
  return {
    url: (path = '/') => `${tls === undefined ? 'http' : 'https'}://localhost:${port}${path}`,
    journal,
    connections: () => connections,
    shut,
    open,
    close: shut,
  };
}

function behave(behaviour: Behaviour, response: ServerResponse): void {
  switch (behaviour) {
    case 'hang':
      return;
    case 'reset':
      response.socket?.resetAndDestroy();
      return;
    case 'garbage':
      response.socket?.end('this is not HTTP\r\n\r\n');
      return;
    case 'stall':
      response.writeHead(200, { 'content-length': '1000' });
      response.write('so far');
      return;
    case 'huge':
      response.writeHead(200);
      pour(response);
      return;
    default:
      response.writeHead(behaviour.status, behaviour.headers);
      response.end(behaviour.body ?? '');
  }
}

function pour(response: ServerResponse): void {
  response.write('x'.repeat(16_384), (error) => {
    if (error === null || error === undefined) setImmediate(pour, response);
  });
}
