import { setTimeout as pause } from 'node:timers/promises';
import { type Attackers, startAttackers } from './attacker/start-attackers.ts';
import { type SteadyMerchant, startSteadyMerchant } from './measure/steady-merchant.ts';
import { type HealthWatch, watchHealth } from './measure/watch-health.ts';
import { type MemoryMonitor, watchMemory } from './measure/watch-memory.ts';
import { openTestSystem, type TestSystem } from './target/open-test-system.ts';

/** A running service with its attackers and its observers. */
export type Session = Readonly<{
  system: TestSystem;
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
  const system = await openTestSystem(options);
  const port = () => system.target().port;
  const attackers = startAttackers();
  const merchant = startSteadyMerchant({
    port,
    apiKey: system.accounts.merchantKey,
    walletId: system.accounts.merchantWalletId,
    prefix: 'steady',
    timeoutMs: options.payoutTimeoutMs,
  });
  const health = watchHealth({ port, timeoutMs: options.healthTimeoutMs });
  const memory = watchMemory(() => system.service().pid);
  await pause(options.warmUpMs);
  return {
    system,
    attackers,
    merchant,
    health,
    memory,
    async close() {
      memory.stop();
      await attackers.stop();
      await Promise.all([merchant.stop(), health.stop()]);
      await system.close();
    },
  };
}
