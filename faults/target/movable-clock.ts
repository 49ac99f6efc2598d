import { writeFile } from 'node:fs/promises';

export const CLOCK_SHIM = new URL('./clock-shim.ts', import.meta.url).pathname;

/** Moves the clocks of one process while it runs. */
export type MovableClock = Readonly<{
  file: string;
  moveWallBy(ms: number): Promise<void>;
  /** The largest offset that the wall clock ever had. */
  latestMs(): number;
  moveWallTo(ms: number): Promise<void>;
  moveMonotonicBy(ms: number): Promise<void>;
}>;

export async function createMovableClock(file: string): Promise<MovableClock> {
  const offsets = new Float64Array(2);
  let latestMs = 0;
  const write = () => writeFile(file, Buffer.from(offsets.buffer), { flag: 'r+' });
  await writeFile(file, Buffer.from(offsets.buffer));
  async function moveWallTo(ms: number): Promise<void> {
    offsets[0] = ms;
    latestMs = Math.max(latestMs, ms);
    await write();
  }
  return {
    file,
    latestMs: () => latestMs,
    moveWallBy: (ms) => moveWallTo((offsets[0] ?? 0) + ms),
    moveWallTo,
    async moveMonotonicBy(ms) {
      offsets[1] = (offsets[1] ?? 0) + ms;
      await write();
    },
  };
}
