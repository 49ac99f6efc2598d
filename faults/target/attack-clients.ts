import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { InjectDeps } from './inject-faults.ts';

const ANSWER_TIMEOUT_MS = 4_000;
const HUGE_BYTES = 8 * 1024 * 1024;
const CHUNK_BYTES = 64 * 1024;
const PATH = '/api/v1/payments/transfers/mobile-money';

/** Opens connections that begin a request and send a byte now and then. */
export async function keepIdle(
  deps: InjectDeps,
  { sockets, forMs }: Readonly<{ sockets: number; forMs: number }>,
): Promise<boolean> {
  const port = deps.system.servicePort();
  if (port === undefined) return false;
  const open = Array.from({ length: sockets }, () => dial(port));
  for (const socket of open) socket.write(`POST ${PATH} HTTP/1.1\r\nhost: x\r\nx-slow: `);
  const end = performance.now() + forMs;
  while (performance.now() < end) {
    for (const socket of open) if (!socket.destroyed) socket.write('a');
    await pause(100);
  }
  for (const socket of open) socket.destroy();
  return true;
}

/** Sends malformed and oversized requests. Each must be refused, and none may affect others. */
export async function sendInvalidRequests(deps: InjectDeps): Promise<boolean> {
  const port = deps.system.servicePort();
  if (port === undefined) return false;
  const head = `POST ${PATH} HTTP/1.1\r\nhost: x\r\nx-api-key: none\r\ncontent-type: application/json\r\n`;
  const requests: readonly (readonly [string, string])[] = [
    ['a huge body', `${head}content-length: ${HUGE_BYTES}\r\n\r\n`],
    ['chunks without end', `${head}transfer-encoding: chunked\r\n\r\n`],
    ['compressed', `${head}content-encoding: gzip\r\ncontent-length: 3\r\n\r\nabc`],
    [
      'two lengths',
      `${head}content-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\nGET / HTTP/1.1\r\n\r\n`,
    ],
    ['two content-lengths', `${head}content-length: 3\r\ncontent-length: 5\r\n\r\nabcde`],
    ['half a body', `${head}content-length: 100\r\n\r\n{"amount":`],
  ];
  await Promise.all(
    requests.map(async ([kind, text]) => {
      const at = deps.now().toISOString();
      const status = await say(port, text, kind);
      await deps.attacks.write({ at, kind: `rude: ${kind}`, target: 'transfers', status });
    }),
  );
  return true;
}

async function say(port: number, text: string, kind: string): Promise<number | null> {
  const socket = dial(port);
  let answer = '';
  socket.on('data', (chunk: Buffer) => {
    answer += chunk.toString('latin1');
  });
  socket.write(text);
  if (kind === 'half a body') socket.end();
  const closed = once(socket, 'close');
  const pouring = /huge|without end/.test(kind) ? pour(socket, kind) : Promise.resolve();
  await Promise.race([closed, pause(ANSWER_TIMEOUT_MS)]);
  socket.destroy();
  await pouring;
  const status = /^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1];
  return status === undefined ? null : Number(status);
}

async function pour(socket: Socket, kind: string): Promise<void> {
  const chunk = 'x'.repeat(CHUNK_BYTES);
  const framed = /without end/.test(kind) ? `${CHUNK_BYTES.toString(16)}\r\n${chunk}\r\n` : chunk;
  for (let sent = 0; sent < HUGE_BYTES && !socket.destroyed; sent += CHUNK_BYTES) {
    if (!socket.write(framed)) {
      await Promise.race([once(socket, 'drain').catch(() => undefined), pause(ANSWER_TIMEOUT_MS)]);
    }
  }
}

function dial(port: number): Socket {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  socket.on('error', () => socket.destroy());
  return socket;
}
