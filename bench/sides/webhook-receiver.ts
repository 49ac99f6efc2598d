import { createServer } from 'node:http';

/**
 * A merchant's server, in its own process: accepts every webhook, counts each event once, and reports the count (`GET
 * /`). It prints where it listens as one line of JSON.
 */
const seen = new Set<string>();
let latestAtMs = 0;

const server = createServer((request, response) => {
  if (request.method === 'GET') {
    response.end(JSON.stringify({ events: seen.size, latestAtMs }));
    return;
  }
  // The event counts once the last byte of its body has arrived.
  request.resume().once('end', () => {
    seen.add(String(request.headers['webhook-id']));
    latestAtMs = Date.now();
    response.writeHead(204).end();
  });
});

server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}/` })}\n`);
});
