import { setTimeout as pause } from 'node:timers/promises';
import { type Attackers, startAttackers } from './attacker/start-attackers.ts';
import { type SteadyMerchant, startSteadyMerchant } from './measure/steady-merchant.ts';
import { type HealthWatch, watchHealth } from './measure/watch-health.ts';
import { type MemoryMonitor, watchMemory } from './measure/watch-memory.ts';
import { openWorld, type World } from './target/open-world.ts';

/** A running service with its attackers and its observers. */
export type Session = Readonly<{
  world: World;
  attackers: Attackers;
  merchant: SteadyMerchant;
  health: HealthWatch;
  memory: MemoryMonitor;
  close(): Promise<void>;
}>;

export type SessionOptions = Readonly<{
  tree: string;
  onSmallDisk: boolean;
  /** The merchant pays alone for this long: code is compiled and memory settles. */
  warmUpMs: number;
  payoutTimeoutMs: number;
  healthTimeoutMs: number;
}>;

export async function openSession(options: SessionOptions): Promise<Session> {
  const world = await openWorld(options);
  const port = () => world.target().port;
  const attackers = startAttackers();
  const merchant = startSteadyMerchant({
    port,
    apiKey: world.accounts.merchantKey,
    walletId: world.accounts.merchantWalletId,
    prefix: 'steady',
    timeoutMs: options.payoutTimeoutMs,
  });
  const health = watchHealth({ port, timeoutMs: options.healthTimeoutMs });
  const memory = watchMemory(() => world.service().pid);
  await pause(options.warmUpMs);
  return {
    world,
    attackers,
    merchant,
    health,
    memory,
    async close() {
      memory.stop();
      await attackers.stop();
      await Promise.all([merchant.stop(), health.stop()]);
      await world.close();
    },
  };
}
