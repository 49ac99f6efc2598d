import { setTimeout as pause } from 'node:timers/promises';
import { passTime } from './pass-time.ts';
import type { World } from './world.ts';

const POLL_MS = 50;
/** How long a process stands still at a point in its own code. */
const STANDSTILL_MS = 400;
/** While its leases still run: others start, and look at what it has. */
const LEASED_STANDSTILL_MS = 1_000;
/** Every fourth time: so long that another process has given up on what it was told nothing about. */
const LONG_STANDSTILL_MS = 4_500;
const LONG_EVERY = 4;

/**
 * Lets services go on that stopped at a point in their own code: every other time only after all leases have run
 * out and another process could take over.
 */
export function startResumer(world: World): Readonly<{ stop(): Promise<void> }> {
  let stopping = false;
  let standstills = 0;

  async function resumeAll(): Promise<void> {
    for (const { process } of world.services) {
      if (!(await process.isStopped())) continue;
      standstills += 1;
      await pause(standstills % 2 === 0 ? STANDSTILL_MS : LEASED_STANDSTILL_MS);
      if (standstills % 2 === 0) {
        await passTime(world).catch(() => false);
        await pause(standstills % LONG_EVERY === 0 ? LONG_STANDSTILL_MS : STANDSTILL_MS);
      }
      process.resume();
    }
  }

  async function watch(): Promise<void> {
    while (!stopping) {
      await resumeAll();
      await pause(POLL_MS);
    }
  }
  const watching = watch();
  return {
    async stop() {
      stopping = true;
      await watching;
    },
  };
}
