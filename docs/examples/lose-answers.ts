import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';

// A bad network, for trying things out. Every request arrives. The answer to every other POST does not.
const service = process.env.KAFUE_URL ?? 'http://127.0.0.1:3000';
const port = Number(process.env.PROXY_PORT ?? 3001);
let posts = 0;

async function passOn(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = 'GET', url = '/' } = request;
  const headers = new Headers();
  for (const name of ['x-api-key', 'content-type', 'idempotency-key']) {
    const value = request.headers[name];
    if (typeof value === 'string') headers.set(name, value);
  }
  const body = method === 'GET' ? null : await buffer(request);
  const answer = await fetch(new URL(url, service), { method, headers, body });
  const text = await answer.text();
  if (method === 'POST') posts += 1;
  if (method === 'POST' && posts % 2 === 1) {
    console.log(`lost: ${answer.status}`);
    response.destroy();
    return;
  }
  const passed = [...answer.headers].filter(([name]) => !HOP_BY_HOP.has(name));
  response.writeHead(answer.status, passed.flat()).end(text);
}

/** They speak of one connection, and this is another. */
const HOP_BY_HOP = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length']);

const server = createServer((request, response) => {
  passOn(request, response).catch(() => response.destroy());
});
server.listen(port, '127.0.0.1', () => console.log(`Losing answers at http://127.0.0.1:${port}`));
