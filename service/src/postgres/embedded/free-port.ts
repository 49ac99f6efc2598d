import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { HOST } from './server-settings.ts';

/**
 * Systems assign higher ports to programs that request any port, and to every outgoing connection. Such a port may be
 * taken between the moment it was found free and the moment a program listens on it.
 */
const FIRST_PORT = 15_000;
const LAST_PORT = 29_999;
const TRIES = 200;

/**
 * The first of `count` consecutive ports on which no program listens, chosen at random because other processes choose
 * too.
 */
export async function findFreePort(count: number = 1): Promise<number> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const first = randomInt(FIRST_PORT, LAST_PORT + 2 - count);
    const ports = Array.from({ length: count }, (_, index) => first + index);
    const free = await Promise.all(ports.map(isFreePort));
    if (free.every(Boolean)) return first;
  }
  throw new Error(`no ${count} free ports in a row from ${FIRST_PORT} to ${LAST_PORT}`);
}

export function isFreePort(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ host: HOST, port }, () => server.close(() => resolve(true)));
  });
}
