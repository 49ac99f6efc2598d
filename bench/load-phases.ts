import { Latencies, type LatencySummary } from './latencies.ts';
import type { Carrier, Fleet } from './load-fleet.ts';

/** Requests that may wait for a free connection; past this the rate is far beyond the server. */
const LATE_MAX = 100_000;
const TICK_MS = 1;

export type PhaseTimes = Readonly<{ warmUpMs: number; measureMs: number }>;

export type PhaseResult = Readonly<{
  /** Answers per second within the measured time. */
  perSecond: number;
  latencyMs: LatencySummary;
  /** What this process used of one core meanwhile. */
  cpuShare: number;
}>;

/**
 * Closed loop: every connection sends its next request when it has the answer to the last. Shows how
 * much the server can do; its latencies only say how long the queue was that we made ourselves.
 */
export function runClosedLoop(fleet: Fleet, times: PhaseTimes): Promise<PhaseResult> {
  const phase = beginPhase(times);
  let open = fleet.carriers.length;
  const { promise, resolve } = Promise.withResolvers<PhaseResult>();
  for (const carrier of fleet.carriers) {
    carrier.onAnswer = () => {
      const nowMs = performance.now();
      phase.note({ nowMs, latencyMs: nowMs - carrier.sentAtMs });
      if (nowMs < phase.endsAtMs) {
        carrier.send(nowMs);
        return;
      }
      open -= 1;
      if (open === 0) resolve(phase.finish());
    };
    carrier.send(performance.now());
  }
  return Promise.race([promise, fleet.broken]);
}

/**
 * Open loop: requests leave at a fixed rate whatever the server does, as those of many merchants would.
 * A latency counts from when its request should have left, so a stall shows in every request that it
 * delayed. The timer of this process adds up to a millisecond.
 */
export function runOpenLoop(
  fleet: Fleet,
  options: PhaseTimes & Readonly<{ ratePerSecond: number }>,
): Promise<PhaseResult> {
  const phase = beginPhase(options);
  const startedMs = performance.now();
  const intervalMs = 1_000 / options.ratePerSecond;
  const free = [...fleet.carriers];
  const late: number[] = [];
  let lateTaken = 0;
  let planned = 0;
  let timer: NodeJS.Timeout | undefined;
  const { promise, resolve, reject } = Promise.withResolvers<PhaseResult>();

  function onAnswer(carrier: Carrier): void {
    const nowMs = performance.now();
    phase.note({ nowMs: carrier.sentAtMs, latencyMs: nowMs - carrier.sentAtMs });
    const dueAtMs = late[lateTaken];
    if (dueAtMs !== undefined) {
      lateTaken += 1;
      carrier.send(dueAtMs);
      return;
    }
    free.push(carrier);
    if (nowMs >= phase.endsAtMs && free.length === fleet.carriers.length) resolve(phase.finish());
  }

  function sendDue(): void {
    const untilMs = Math.min(performance.now(), phase.endsAtMs);
    for (;;) {
      const dueAtMs = startedMs + planned * intervalMs;
      if (dueAtMs > untilMs) break;
      planned += 1;
      const carrier = free.pop();
      if (carrier === undefined) late.push(dueAtMs);
      else carrier.send(dueAtMs);
    }
    if (late.length - lateTaken > LATE_MAX)
      reject(new Error('the server fell far behind the rate'));
    else if (performance.now() < phase.endsAtMs) timer = setTimeout(sendDue, TICK_MS);
    else if (free.length === fleet.carriers.length) resolve(phase.finish());
  }

  for (const carrier of fleet.carriers) carrier.onAnswer = () => onAnswer(carrier);
  sendDue();
  return Promise.race([promise, fleet.broken]).finally(() => clearTimeout(timer));
}

function beginPhase({ warmUpMs, measureMs }: PhaseTimes) {
  const beginsAtMs = performance.now() + warmUpMs;
  const endsAtMs = beginsAtMs + measureMs;
  const latencies = new Latencies();
  let usage = process.cpuUsage();
  let used: NodeJS.CpuUsage | undefined;
  setTimeout(() => {
    usage = process.cpuUsage();
  }, warmUpMs);
  setTimeout(() => {
    used = process.cpuUsage(usage);
  }, warmUpMs + measureMs);
  return {
    endsAtMs,
    note({ nowMs, latencyMs }: Readonly<{ nowMs: number; latencyMs: number }>): void {
      if (nowMs >= beginsAtMs && nowMs < endsAtMs) latencies.add(latencyMs);
    },
    finish(): PhaseResult {
      const { user, system } = used ?? process.cpuUsage(usage);
      return {
        perSecond: (1_000 * latencies.count) / measureMs,
        latencyMs: latencies.summarize(),
        cpuShare: (user + system) / 1_000 / measureMs,
      };
    },
  };
}
