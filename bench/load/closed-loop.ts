import type { Fleet } from './load-fleet.ts';
import type { Phase, PhaseResult } from './phase.ts';

/**
 * Closed loop: every connection sends its next request when it has the answer to the last. Shows how
 * much the server can do; its latencies only say how long the queue was that we made ourselves.
 */
export function runClosedLoop(
  fleet: Fleet,
  phase: Phase,
  requestsMax: number,
): Promise<PhaseResult> {
  const { promise, resolve } = Promise.withResolvers<PhaseResult>();
  const carriers = fleet.carriers.slice(0, requestsMax);
  let open = carriers.length;
  let sent = carriers.length;
  for (const carrier of carriers) {
    carrier.onAnswer = ({ status }) => {
      const nowMs = performance.now();
      const latencyMs = nowMs - carrier.sentAtMs;
      phase.note({ status, latencyMs, atMs: nowMs, answeredAtMs: nowMs });
      if (nowMs < phase.endsAtMs() && sent < requestsMax) {
        sent += 1;
        carrier.send(nowMs);
        return;
      }
      open -= 1;
      if (open > 0) return;
      phase.endNow();
      resolve(phase.finish());
    };
    carrier.send(performance.now());
  }
  return Promise.race([promise, fleet.broken]);
}
