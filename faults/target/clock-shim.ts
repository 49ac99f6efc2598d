/**
 * Loaded before the service (`node --import`): its clocks go as a file says. The file holds two numbers of
 * 64 bits, in milliseconds: what to add to the time of day, and what to add to the time since the start.
 * Both are read at every look at a clock, so a process that was paused finds them changed at once.
 */
import { openSync, readSync } from 'node:fs';

const path = process.env['CLOCK_FILE'];

if (path !== undefined) {
  const file = openSync(path, 'r');
  const numbers = new Float64Array(2);
  const bytes = new Uint8Array(numbers.buffer);
  const readOffset = (which: 0 | 1): number => {
    readSync(file, bytes, 0, bytes.length, 0);
    return numbers[which] ?? 0;
  };
  const RealDate = Date;
  const realNow = Date.now.bind(Date);
  const now = (): number => realNow() + readOffset(0);

  class MovedDate extends RealDate {
    constructor(...given: readonly unknown[]) {
      // The constructor of Date has no one list of parameters to name.
      super(...((given.length === 0 ? [now()] : given) as [number]));
    }
    static override now(): number {
      return now();
    }
  }
  globalThis.Date = MovedDate as DateConstructor;

  const monotonicNow = performance.now.bind(performance);
  Object.defineProperty(performance, 'now', {
    configurable: true,
    value: () => monotonicNow() + readOffset(1),
  });
}
