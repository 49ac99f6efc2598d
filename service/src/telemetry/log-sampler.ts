import { describeKind } from './log-kind.ts';
import type { LogFields, Logger } from './logger.ts';

/** Lines of one kind within this time become one line and a count. */
const WINDOW_MS = 1_000;
/** A kind takes about a hundred bytes. Beyond this many within a second, new kinds are counted as one. */
const KINDS_MAX = 1_000;

type Level = 'info' | 'warn' | 'error';

type Sampled = {
  readonly level: Level;
  readonly message: string;
  /** The fields that all lines of the kind share. */
  readonly commonFields: LogFields;
  beganMs: number;
  written: number;
  suppressed: number;
};

type SamplerDeps = Readonly<{
  logger: Logger;
  monotonicMs: () => number;
  wait: (ms: number) => Promise<void>;
}>;

/**
 * A logger that writes one line per kind and second of refused requests without a key and of repeated faults, so that
 * neither can fill a disk. The rest is counted: `suppressed` is in the next line of the kind or, when the kind stops,
 * in a separate line.
 */
export function sampleLogs({ logger, monotonicMs, wait }: SamplerDeps): Logger {
  const kinds = new Map<string, Sampled>();
  let isSweepDue = false;

  function write(level: Level, fields: LogFields, message: string): void {
    const kind = describeKind(fields, message);
    if (kind === undefined) {
      logger[level](fields, message);
      return;
    }
    const nowMs = monotonicMs();
    const sampled = find({ ...kind, name: `${level} ${kind.name}`, level, message }, nowMs);
    if (nowMs - sampled.beganMs >= WINDOW_MS) {
      sampled.beganMs = nowMs;
      sampled.written = 0;
    }
    if (sampled.written >= kind.linesPerSecond) {
      sampled.suppressed += 1;
      void sweepLater();
      return;
    }
    sampled.written += 1;
    const suppressed = sampled.suppressed === 0 ? undefined : sampled.suppressed;
    sampled.suppressed = 0;
    logger[level]({ ...fields, suppressed }, message);
  }

  function find(
    kind: Readonly<{ name: string; level: Level; message: string; commonFields: LogFields }>,
    nowMs: number,
  ): Sampled {
    const known = kinds.get(kind.name);
    if (known !== undefined) return known;
    if (kinds.size >= KINDS_MAX) sweep(nowMs);
    const isOther = kinds.size >= KINDS_MAX;
    const name = isOther ? `${kind.level} of other kinds` : kind.name;
    const message = isOther ? 'lines of other kinds' : kind.message;
    const commonFields = isOther ? {} : kind.commonFields;
    const counts = { beganMs: nowMs, written: 0, suppressed: 0 };
    const added = kinds.get(name) ?? { level: kind.level, message, commonFields, ...counts };
    kinds.set(name, added);
    return added;
  }

  /** Removes the kinds that stopped, and logs how many lines of each were left out. */
  function sweep(nowMs: number): void {
    for (const [name, sampled] of kinds) {
      if (nowMs - sampled.beganMs < WINDOW_MS) continue;
      kinds.delete(name);
      const { level, message, commonFields, suppressed } = sampled;
      if (suppressed > 0) logger[level]({ ...commonFields, suppressed }, message);
    }
  }

  async function sweepLater(): Promise<void> {
    if (isSweepDue) return;
    isSweepDue = true;
    await wait(WINDOW_MS);
    isSweepDue = false;
    sweep(monotonicMs());
    if ([...kinds.values()].some(({ suppressed }) => suppressed > 0)) void sweepLater();
  }

  return {
    debug: (fields, message) => logger.debug(fields, message),
    info: (fields, message) => write('info', fields, message),
    warn: (fields, message) => write('warn', fields, message),
    error: (fields, message) => write('error', fields, message),
    writesDebug: logger.writesDebug,
    flush() {
      sweep(Number.POSITIVE_INFINITY);
      logger.flush();
    },
  };
}
