import { setTimeout as pause } from 'node:timers/promises';
import type { AttackerOptions } from './attacker/attacker.ts';
import type { Exchange } from './measure/exchange.ts';
import type { Observation } from './observation.ts';
import type { Session } from './session.ts';
import { readDatabase } from './target/read-database.ts';

const CREATED = 201;
const OK = 200;
const P95 = 0.95;
const MS_PER_SECOND = 1_000;
const LIVE_PATH = '/health/live';
const POLL_MS = 50;

export type Window = Readonly<{ fromMs: number; toMs: number }>;

export type ObserveOptions = Readonly<{
  windowMinMs: number;
  /** Undefined: it is checked elsewhere. */
  recovery: Recovery | undefined;
}>;

type Recovery = Readonly<{ withinMs: number; answeredInMs: number }>;

/** Runs one attack and measures its effect on the merchant, health checks, memory, log and database. */
export async function observeAttack(
  session: Session,
  attack: AttackerOptions,
  options: ObserveOptions,
): Promise<Observation> {
  const { system, attackers } = session;
  const service = system.service();
  const linesBefore = service.logLines();
  const databaseBefore = await readDatabase(system.folder.path);
  const fromMs = performance.now();
  const answer = await attackers.attack(attack);
  await pause(Math.max(0, fromMs + options.windowMinMs - performance.now()));
  const window = { fromMs, toMs: performance.now() };
  await Promise.all([session.merchant.settle(), session.health.settle()]);
  const recoveredAfterMs =
    options.recovery === undefined
      ? 0
      : await waitForRecovery(session, window.toMs, options.recovery);
  const databaseAfter = await readDatabase(system.folder.path);
  return {
    elapsedMs: window.toMs - window.fromMs,
    attackers: answer,
    end: service.ended(),
    lastOutput: service.ended() === undefined ? '' : service.tail(),
    merchant: summariseMerchant(session, window),
    health: summariseHealth(session, window),
    recoveredAfterMs,
    rssPeakBytes: findPeak(session, window),
    logLines: service.logLines() - linesBefore,
    database: databaseBefore &&
      databaseAfter && {
        growthBytes: databaseAfter.bytes - databaseBefore.bytes,
        transactionsPerSecond:
          ((databaseAfter.transactions - databaseBefore.transactions) * MS_PER_SECOND) /
          (performance.now() - fromMs),
      },
  };
}

export function summariseMerchant({ merchant }: Session, window: Window): Observation['merchant'] {
  const payments = merchant.payments().filter(({ sentAtMs }) => isWithin(sentAtMs, window));
  const times = payments.map(({ elapsedMs }) => elapsedMs).toSorted((a, b) => a - b);
  const byStatus: Record<string, number> = {};
  for (const { status = 0 } of payments) byStatus[status] = (byStatus[status] ?? 0) + 1;
  return {
    sent: payments.length,
    byStatus,
    created: payments.filter(({ status }) => status === CREATED).length,
    p95Ms: times[Math.ceil(times.length * P95) - 1] ?? 0,
    worstMs: times.at(-1) ?? 0,
  };
}

/** Liveness must be positive; readiness may be negative, but must be answered. */
export function summariseHealth({ health }: Session, window: Window): Observation['health'] {
  const checks = health.checks().filter(({ sentAtMs }) => isWithin(sentAtMs, window));
  const failed = checks.filter(({ path, status }) =>
    path === LIVE_PATH ? status !== OK : status === undefined,
  );
  return {
    asked: checks.length,
    failed: failed.length,
    worstMs: Math.max(0, ...checks.map(({ elapsedMs }) => elapsedMs)),
  };
}

/**
 * The next attack begins when this one's effects are over, so that each is judged separately: a health check and a
 * payout that began after it are answered as they should be.
 */
async function waitForRecovery(
  session: Session,
  endMs: number,
  { withinMs, answeredInMs }: Recovery,
): Promise<number | undefined> {
  const isWell = ({ sentAtMs, elapsedMs }: Exchange) =>
    sentAtMs >= endMs && elapsedMs <= answeredInMs;
  while (performance.now() < endMs + withinMs && isRunning(session)) {
    const isHealthy = session.health.checks().some((check) => check.status === OK && isWell(check));
    const isServed =
      session.merchant.isStopped() ||
      session.merchant.payments().some((paid) => paid.status === CREATED && isWell(paid));
    if (isHealthy && isServed) return performance.now() - endMs;
    await pause(POLL_MS);
  }
  return undefined;
}

function isRunning({ system }: Session): boolean {
  return system.service().ended() === undefined;
}

function findPeak({ memory }: Session, window: Window): number | undefined {
  const samples = memory.samples().filter(({ atMs }) => isWithin(atMs, window));
  return samples.length === 0 ? undefined : Math.max(...samples.map(({ rssBytes }) => rssBytes));
}

function isWithin(ms: number, { fromMs, toMs }: Window): boolean {
  return ms >= fromMs && ms <= toMs;
}
