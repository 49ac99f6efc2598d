import type { FastifyInstance } from 'fastify';
import type { Connections } from './connections.ts';

/**
 * Lets what is under way finish, then closes. The socket stays open for newcomers until then: they
 * learn that we are going, and that nothing was stored, rather than find nobody.
 */
export async function drainApp(
  app: FastifyInstance,
  connections: Connections,
  deadlineMs: number,
): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, deadlineMs);
  });
  await Promise.race([connections.idle(), deadline]);
  clearTimeout(timer);
  // What is still open now is idle, has not finished its headers, or is past the deadline.
  app.server.closeAllConnections();
  await app.close();
}
