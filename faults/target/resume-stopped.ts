import { setTimeout as pause } from 'node:timers/promises';
import { passTime } from './pass-time.ts';
import type { TestSystem } from './test-system.ts';

const POLL_MS = 50;
/** How long a process stays stopped at a failpoint. */
const STANDSTILL_MS = 400;
/** Long enough for other processes to start and scan while its leases are still valid. */
const LEASED_STANDSTILL_MS = 1_000;
/** Used every fourth time: long enough for another process to give up on transfers without an answer. */
const LONG_STANDSTILL_MS = 4_500;
const LONG_EVERY = 4;

/**
 * Resumes services that stopped at a failpoint. Every other time it first lets all leases expire, so that another
 * process can take over.
 */
export function startResumer(system: TestSystem): Readonly<{ stop(): Promise<void> }> {
  let stopping = false;
  let standstills = 0;

  async function resumeAll(): Promise<void> {
    for (const { process } of system.services) {
      if (!(await process.isStopped())) continue;
      standstills += 1;
      await pause(standstills % 2 === 0 ? STANDSTILL_MS : LEASED_STANDSTILL_MS);
      if (standstills % 2 === 0) {
        await passTime(system).catch(() => false);
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
