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
  fleet: LoadConnections,
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
  const isIdle = () => free.size === fleet.carriers.length;

  function take(carrier: LoadConnection): void {
    carrier.onAnswer = ({ status }) => {
      const answeredAtMs = performance.now();
      const atMs = carrier.sentAtMs;
      phase.note({ status, latencyMs: answeredAtMs - atMs, atMs, answeredAtMs });
      goOn(carrier);
    };
    goOn(carrier);
  }

  function goOn(carrier: LoadConnection): void {
    const dueAtMs = late.take();
    if (dueAtMs !== undefined) {
      carrier.send(dueAtMs);
      return;
    }
    free.push(carrier);
    if (performance.now() >= phase.endsAtMs() && isIdle()) resolve(phase.finish());
  }

  function sendDue(): void {
    const untilMs = Math.min(performance.now(), phase.endsAtMs());
    for (;;) {
      const dueAtMs = phase.startedMs + planned * intervalMs;
      if (dueAtMs > untilMs) break;
      planned += 1;
      const carrier = free.take();
      if (carrier !== undefined) {
        carrier.send(dueAtMs);
        continue;
      }
      late.push(dueAtMs);
      fleet.grow(take);
    }
    if (late.size > LATE_MAX) reject(new Error('the server fell far behind the rate'));
    else if (performance.now() < phase.endsAtMs()) timer = setTimeout(sendDue, TICK_MS);
    else if (isIdle()) resolve(phase.finish());
  }

  for (const carrier of fleet.carriers) take(carrier);
  sendDue();
  return Promise.race([promise, fleet.broken]).finally(() => clearTimeout(timer));
}
