import type { LoadConnection, LoadConnections } from './load-connections.ts';
import type { Phase, PhaseResult } from './phase.ts';

const MS_PER_SECOND = 1_000;

/**
 * Closed loop: every connection sends its next request when it has the answer to the last. It shows the capacity of the
 * server; its latencies only show the length of the queue that we made ourselves. A refused connection retries after
 * Retry-After, as a client should.
 */
export function runClosedLoop(
  connections: LoadConnections,
  phase: Phase,
  requestsMax: number,
): Promise<PhaseResult> {
  const { promise, resolve } = Promise.withResolvers<PhaseResult>();
  const patient = new Set<NodeJS.Timeout>();
  let underWay = 0;
  let sent = 0;

  function goOn(connection: LoadConnection): void {
    const nowMs = performance.now();
    if (nowMs >= phase.endsAtMs() || sent >= requestsMax) {
      endIfDone();
      return;
    }
    sent += 1;
    underWay += 1;
    connection.send(nowMs);
  }

  function endIfDone(): void {
    if (underWay > 0) return;
    for (const timer of patient) clearTimeout(timer);
    phase.endNow();
    resolve(phase.finish());
  }

  for (const connection of connections.all) {
    connection.onAnswer = ({ status, retryAfterSeconds }) => {
      underWay -= 1;
      const nowMs = performance.now();
      const latencyMs = nowMs - connection.sentAtMs;
      phase.note({ status, latencyMs, atMs: nowMs, answeredAtMs: nowMs });
      if (retryAfterSeconds === null) {
        goOn(connection);
        return;
      }
      const timer = setTimeout(() => {
        patient.delete(timer);
        goOn(connection);
      }, retryAfterSeconds * MS_PER_SECOND);
      patient.add(timer);
    };
  }
  for (const connection of connections.all) goOn(connection);
  // At the end all connections may be waiting to retry.
  setTimeout(endIfDone, phase.endsAtMs() - performance.now());
  return Promise.race([promise, connections.broken]);
}
