import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the server does with a request. */
export type Play =
  | Readonly<{ status: number; headers?: Readonly<Record<string, string>>; body?: unknown }>
  /** Takes the request and never answers. */
  | 'hang'
  /** Takes the request and drops the connection. */
  | 'reset'
  /** Announces a long body, sends a little of it and drops the connection. */
  | 'cut';

type ReceivedRequest = Readonly<{
  method: string;
  /** Path and query, as they arrived. */
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
}>;

export type ScriptedServer = Readonly<{
  baseUrl: string;
  requests: readonly ReceivedRequest[];
  /** Forgets what came, and plays these from now on, the last one again and again. */
  play(...plays: readonly [Play, ...Play[]]): void;
  close(): Promise<void>;
}>;

/** A real HTTP server that answers as it is told. */
export async function startScriptedServer(): Promise<ScriptedServer> {
  const requests: ReceivedRequest[] = [];
  let queue: Play[] = [{ status: 500 }];
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    requests.push(await readRequest(request));
    const play = queue.length > 1 ? queue.shift() : queue[0];
    if (play !== undefined) perform(play, response);
  };
  const server = createServer((request, response) => {
    respond(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    play(...plays) {
      requests.length = 0;
      queue = [...plays];
    },
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}

async function readRequest(request: IncomingMessage): Promise<ReceivedRequest> {
  const { method = '', url = '', headers } = request;
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) body += String(chunk);
  return { method, url, headers, body };
}

function perform(play: Play, response: ServerResponse): void {
  if (play === 'hang') return;
  if (play === 'reset') {
    response.destroy();
    return;
  }
  if (play === 'cut') {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '5000' });
    response.write('{"status":true,', () => response.destroy());
    return;
  }
  const { status, headers = {}, body } = play;
  const isText = typeof body === 'string';
  response.writeHead(status, {
    'content-type': isText ? 'text/html' : 'application/json',
    ...headers,
  });
  response.end(isText ? body : JSON.stringify(body));
}

/** A success as the service answers it. */
export function success(data: unknown, status = 200): Play {
  return { status, body: { status: true, message: 'Done', data } };
}

/** A refusal as the service answers it. */
export function refusal(
  status: number,
  code: string,
  more: Readonly<{
    retryable?: boolean;
    headers?: Record<string, string>;
    rule?: string;
    data?: object;
  }> = {},
): Play {
  const { retryable = false, headers = {}, rule, data = {} } = more;
  const error = { code, retryable, requestId: 'req-1', rule };
  return {
    status,
    headers: { 'x-should-retry': String(retryable), ...headers },
    body: { status: false, message: `Refused: ${code}.`, data: { error, ...data } },
  };
}
