import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Connections } from './connections.ts';
import type { ServerLimits } from './server-limits.ts';

/**
 * Lets what is under way finish, then closes. The socket stays open for newcomers until then, and for
 * a moment in any case: they learn that we are going, and that nothing was stored, rather than find
 * nobody.
 */
export async function drainApp(
  app: FastifyInstance,
  connections: Connections,
  { drainMinMs, drainDeadlineMs }: Pick<ServerLimits, 'drainMinMs' | 'drainDeadlineMs'>,
): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, drainDeadlineMs);
  });
  await Promise.race([wait(drainMinMs).then(() => connections.idle()), deadline]);
  clearTimeout(timer);
  // What is still open now is idle, has not finished its headers, or is past the deadline.
  app.server.closeAllConnections();
  await app.close();
}
