import type { Server } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { Connections } from './connections.ts';
import type { ServerLimits } from './server-limits.ts';

/**
 * Lets requests under way finish, then closes. The listening socket stays open until then, and for a minimum time in
 * any case: new clients get a 503 that says that nothing was stored, instead of a refused connection.
 */
export async function drainServer(
  server: Server,
  connections: Connections,
  { drainMinMs, drainDeadlineMs }: Pick<ServerLimits, 'drainMinMs' | 'drainDeadlineMs'>,
): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, drainDeadlineMs);
  });
  await Promise.race([wait(drainMinMs).then(() => connections.idle()), deadline]);
  clearTimeout(timer);
  // Connections that are still open now are idle, have not finished their headers, or are past the deadline.
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
