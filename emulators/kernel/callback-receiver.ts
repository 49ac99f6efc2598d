import { createServer, type IncomingHttpHeaders } from 'node:http';

export type ReceivedCallback = Readonly<{
  method: string;
  /** Includes the query. */
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}>;

type ReceiverAnswer = 'silence' | Readonly<{ status: number; body: string }>;

export type CallbackReceiver = Readonly<{
  url: string;
  seen(): readonly ReceivedCallback[];
  answerWith(answer: ReceiverAnswer): void;
}> &
  AsyncDisposable;

/** For tests: an HTTP server on loopback that records callbacks. */
export async function startCallbackReceiver(): Promise<CallbackReceiver> {
  const seen: ReceivedCallback[] = [];
  let answer: ReceiverAnswer = { status: 200, body: '' };
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (text: string) => {
      body += text;
    });
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request;
      seen.push({ method, path, headers, body });
      if (answer !== 'silence') response.writeHead(answer.status).end(answer.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    seen: () => seen,
    answerWith(next) {
      answer = next;
    },
    async [Symbol.asyncDispose]() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}
