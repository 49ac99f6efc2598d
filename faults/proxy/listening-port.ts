import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import type { Server } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** Below the ephemeral ports, so that no other program gets the port while its listener is closed. */
const PORT_MIN = 20_000;
const PORT_MAX = 30_000;
const TRIES_MAX = 50;
const RETRY_PAUSE_MS = 100;

/** Listens at any port that can be closed and reopened; resolves to the port. */
export async function listenOnFreePort(server: Server): Promise<number> {
  for (let tries = 1; ; tries += 1) {
    const port = randomInt(PORT_MIN, PORT_MAX);
    if (await tryToOpen(server, port)) return port;
    if (tries === TRIES_MAX) throw new Error('no port is free');
  }
}

/** Listens at the same port again. */
export async function listenOnPort(server: Server, port: number): Promise<void> {
  for (let tries = 1; !(await tryToOpen(server, port)); tries += 1) {
    if (tries === TRIES_MAX) throw new Error(`another program took port ${port}`);
    await pause(RETRY_PAUSE_MS);
  }
}

/** Refuses connections from now on. `endConnections` closes the existing ones. */
export async function stopListening(server: Server, endConnections: () => void): Promise<void> {
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
