import { HEALTH_ADDRESS } from '../loopback-addresses.ts';
import { type Exchange, exchange } from './exchange.ts';

const INTERVAL_MS = 200;
const PATHS = ['/health/live', '/health/ready'] as const;

type HealthCheck = Exchange & Readonly<{ path: string }>;

export type HealthWatch = Readonly<{
  checks(): readonly HealthCheck[];
  settle(): Promise<void>;
  stop(): Promise<void>;
}>;

type HealthOptions = Readonly<{ port: () => number; timeoutMs: number }>;

/** Checks health as a load balancer does: repeatedly, each time on a new connection. */
export function watchHealth({ port, timeoutMs }: HealthOptions): HealthWatch {
  const checks: HealthCheck[] = [];
  const underWay = new Set<Promise<void>>();
  let count = 0;
  const check = async (): Promise<void> => {
    count += 1;
    const path = PATHS[count % PATHS.length] ?? PATHS[0];
    const result = await exchange({
      method: 'GET',
      port: port(),
      path,
      headers: {},
      timeoutMs,
      localAddress: HEALTH_ADDRESS,
    });
    checks.push({ ...result, path });
  };
  const timer = setInterval(() => {
    const checking = check().finally(() => underWay.delete(checking));
    underWay.add(checking);
  }, INTERVAL_MS);
  const settle = async (): Promise<void> => void (await Promise.all(underWay));
  return {
    checks: () => checks,
    settle,
    async stop() {
      clearInterval(timer);
      await settle();
    },
  };
}
