import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';

/** For tests: what a scripted operator does with one request. */
export type FakeAnswer =
  | Readonly<{ status: number; body?: string; headers?: Readonly<Record<string, string>> }>
  /** Reads the request and never answers. */
  | 'hang'
  /** Reads the request and resets the connection. */
  | 'reset';

export type FakeRequest = Readonly<{
  method: string;
  /** With its query. */
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}>;

export type FakeServer = Readonly<{
  baseUrl: string;
  requests: readonly FakeRequest[];
  connections(): number;
  /** Accepts no new connections; open ones may finish. */
  refuse(): void;
  close(): Promise<void>;
}>;

export async function startFakeServer(
  script: (request: FakeRequest, nth: number) => FakeAnswer,
): Promise<FakeServer> {
  const requests: FakeRequest[] = [];
  let connections = 0;
  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await readRequest(incoming);
    requests.push(request);
    const answer = script(request, requests.length);
    if (answer === 'hang') return;
    if (answer === 'reset') incoming.socket.resetAndDestroy();
    else response.writeHead(answer.status, answer.headers).end(answer.body ?? '');
  }
  const server = createServer((incoming, response) => void serve(incoming, response));
  server.on('connection', () => (connections += 1));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return {
    baseUrl: `http://127.0.0.1:${address.port}`,
    requests,
    connections: () => connections,
    refuse: () => void server.close(),
    async close() {
      server.closeAllConnections();
      if (!server.listening) return;
      server.close();
      await once(server, 'close');
    },
  };
}

async function readRequest(incoming: IncomingMessage): Promise<FakeRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk);
  const { method = '', url: path = '', headers } = incoming;
  return { method, path, headers, body: Buffer.concat(chunks).toString() };
}
