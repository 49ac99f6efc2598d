import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import type { Server } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** Below those that systems give to connections: nobody takes a port while its door is shut. */
const PORT_MIN = 20_000;
const PORT_MAX = 30_000;
const TRIES_MAX = 50;
const RETRY_PAUSE_MS = 100;

/** Listens at any port that can be shut and opened again; resolves to it. */
export async function openAnywhere(server: Server): Promise<number> {
  for (let tries = 1; ; tries += 1) {
    const port = randomInt(PORT_MIN, PORT_MAX);
    if (await tryToOpen(server, port)) return port;
    if (tries === TRIES_MAX) throw new Error('no port is free');
  }
}

/** Listens where it did before. */
export async function openAgain(server: Server, port: number): Promise<void> {
  for (let tries = 1; !(await tryToOpen(server, port)); tries += 1) {
    if (tries === TRIES_MAX) throw new Error(`somebody else took port ${port}`);
    await pause(RETRY_PAUSE_MS);
  }
}

/** From now on connections are refused. The caller ends those that there are. */
export async function shut(server: Server, endConnections: () => void): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  endConnections();
  await closed;
}

async function tryToOpen(server: Server, port: number): Promise<boolean> {
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false;
    throw error;
  }
}
