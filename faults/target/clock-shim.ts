/**
 * Loaded before the service (`node --import`): shifts its clocks by offsets from a file. The file has two 64-bit
 * numbers in milliseconds: the offset of the wall clock and the offset of the monotonic clock. Both are read at
 * every clock access, so a process that was paused sees changes at once.
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
  // A whole number, as the real one: otherwise Date.now() would be later than a new Date() right after it.
  const now = (): number => Math.floor(realNow() + readOffset(0));

  class MovedDate extends RealDate {
    constructor(...given: readonly unknown[]) {
      // The overloads of the Date constructor have no common parameter list.
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
