import { FifoQueue } from './fifo-queue.ts';
import type { LoadConnection, LoadConnections } from './load-connections.ts';
import type { Phase, PhaseResult } from './phase.ts';

/** Requests that may wait for a free connection; beyond this the rate is far above the server's capacity. */
const LATE_MAX = 100_000;
const TICK_MS = 1;

/**
 * Open loop: requests leave at a fixed rate even if the server stalls, as requests of many merchants do. A latency
 * counts from when its request should have left, so a stall shows in every request that it delayed. The timer of this
 * process adds up to a millisecond.
 */
export function runOpenLoop(
  connections: LoadConnections,
  phase: Phase,
  ratePerSecond: number,
): Promise<PhaseResult> {
  const intervalMs = 1_000 / ratePerSecond;
  // Used in turn: a server closes idle connections.
  const free = new FifoQueue<LoadConnection>();
  const late = new FifoQueue<number>();
  let planned = 0;
  let timer: NodeJS.Timeout | undefined;
  const { promise, resolve, reject } = Promise.withResolvers<PhaseResult>();
  const isIdle = () => free.size === connections.all.length;

  function take(connection: LoadConnection): void {
    connection.onAnswer = ({ status }) => {
      const answeredAtMs = performance.now();
      const atMs = connection.sentAtMs;
      phase.note({ status, latencyMs: answeredAtMs - atMs, atMs, answeredAtMs });
      goOn(connection);
    };
    goOn(connection);
  }

  function goOn(connection: LoadConnection): void {
    const dueAtMs = late.take();
    if (dueAtMs !== undefined) {
      connection.send(dueAtMs);
      return;
    }
    free.push(connection);
    if (performance.now() >= phase.endsAtMs() && isIdle()) resolve(phase.finish());
  }

  function sendDue(): void {
    const untilMs = Math.min(performance.now(), phase.endsAtMs());
    for (;;) {
      const dueAtMs = phase.startedMs + planned * intervalMs;
      if (dueAtMs > untilMs) break;
      planned += 1;
      const connection = free.take();
      if (connection !== undefined) {
        connection.send(dueAtMs);
        continue;
      }
      late.push(dueAtMs);
      connections.grow(take);
    }
    if (late.size > LATE_MAX) reject(new Error('the server fell far behind the rate'));
    else if (performance.now() < phase.endsAtMs()) timer = setTimeout(sendDue, TICK_MS);
    else if (isIdle()) resolve(phase.finish());
  }

  for (const connection of connections.all) take(connection);
  sendDue();
  return Promise.race([promise, connections.broken]).finally(() => clearTimeout(timer));
}
