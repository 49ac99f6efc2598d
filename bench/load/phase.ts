import { Latencies, type LatencySummary } from './latencies.ts';

export type PhaseTimes = Readonly<{ warmUpMs: number; measureMs: number }>;

export type PhaseResult = Readonly<{
  /** Successful answers per second within the measured time. */
  perSecond: number;
  latencyMs: LatencySummary;
  /** All other answers. */
  refusedPerSecond: number;
  refusedLatencyMs: LatencySummary;
  /** The share of a core that this process used meanwhile. */
  cpuShare: number;
}>;

type TimedAnswer = Readonly<{
  status: number;
  latencyMs: number;
  /** This time decides whether the latency is measured. */
  atMs: number;
  /** This time decides whether the answer counts. */
  answeredAtMs: number;
}>;

export type Phase = Readonly<{
  startedMs: number;
  endsAtMs(): number;
  /** Ends the measurement now. */
  endNow(): void;
  note(answer: TimedAnswer): void;
  finish(): PhaseResult;
}>;

/** Collects the answers between the end of the warm-up and the end of the phase. */
export function beginPhase({ warmUpMs, measureMs }: PhaseTimes): Phase {
  const startedMs = performance.now();
  const beginsAtMs = startedMs + warmUpMs;
  let endsAtMs = beginsAtMs + measureMs;
  const good = new Latencies();
  const refused = new Latencies();
  let goodCount = 0;
  let refusedCount = 0;
  const isWithin = (timeMs: number) => timeMs >= beginsAtMs && timeMs < endsAtMs;
  let usage = process.cpuUsage();
  let used: NodeJS.CpuUsage | undefined;
  setTimeout(() => {
    usage = process.cpuUsage();
  }, warmUpMs);
  const timer = setTimeout(() => {
    used = process.cpuUsage(usage);
  }, warmUpMs + measureMs);
  return {
    startedMs,
    endsAtMs: () => endsAtMs,
    endNow() {
      endsAtMs = Math.max(beginsAtMs, Math.min(endsAtMs, performance.now()));
    },
    note({ status, latencyMs, atMs, answeredAtMs }) {
      const isGood = status === 201 || status === 200;
      if (isWithin(answeredAtMs)) {
        if (isGood) goodCount += 1;
        else refusedCount += 1;
      }
      if (isWithin(atMs)) (isGood ? good : refused).add(latencyMs);
    },
    finish() {
      clearTimeout(timer);
      const { user, system } = used ?? process.cpuUsage(usage);
      const measuredMs = endsAtMs - beginsAtMs;
      return {
        perSecond: (1_000 * goodCount) / measuredMs,
        latencyMs: good.summarize(),
        refusedPerSecond: (1_000 * refusedCount) / measuredMs,
        refusedLatencyMs: refused.summarize(),
        cpuShare: (user + system) / 1_000 / measuredMs,
      };
    },
  };
}
