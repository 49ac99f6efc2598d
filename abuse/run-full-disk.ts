import { setTimeout as pause } from 'node:timers/promises';
import { type AbuseOptions, type Row, TIMES } from './abuse-run.ts';
import { FULL_DISK, writePayout } from './attacks/full-disk.ts';
import { findProblems } from './find-problems.ts';
import type { Problem } from './observation.ts';
import { observeAttack } from './observe-attack.ts';
import type { Session } from './session.ts';
import { callApi } from './target/call-api.ts';

const CREATED = 201;
/** A database that ended on the full disk is started again and recovers. */
const RECOVERY_MAX_MS = 60_000;
const POLL_MS = 200;

/** Fills the disk of the session, attacks, and frees it again. */
export async function runFullDisk(session: Session, options: AbuseOptions): Promise<Row> {
  const { id, title, timeMaxMs, limits: attackLimits } = FULL_DISK;
  const { form, seed } = options;
  const { folder } = session.system;
  if (!folder.isSmallDisk) {
    const skipped = 'no small disk can be mounted here; on Linux, run it as root';
    return { id, title, observed: undefined, skipped, problems: [] };
  }
  options.onPhase(`${id} ${title}`);
  await folder.fill();
  const { windowMinMs, timeShare } = TIMES[form];
  const target = session.system.target();
  const order = { target, seed, form, id, timeMaxMs: timeMaxMs * timeShare };
  const observed = await observeAttack(session, order, { windowMinMs, recovery: undefined });
  await folder.free();
  const problems = [
    ...findProblems(observed, { form, attackLimits, mayRefuseMerchant: true }),
    ...(await judgeRecovery(session)),
  ];
  return { id, title, observed, skipped: undefined, problems };
}

/** With room on the disk again, payouts must be accepted again, without a manual restart. */
async function judgeRecovery({ system }: Session): Promise<readonly Problem[]> {
  const untilMs = performance.now() + RECOVERY_MAX_MS;
  while (performance.now() < untilMs && system.service().ended() === undefined) {
    const { port, attackerKey: apiKey } = system.target();
    const body = writePayout(system.target(), `room-again-${Math.round(performance.now())}`);
    const call = { method: 'POST', path: '/transfers/mobile-money', apiKey, body } as const;
    const answer = await callApi(port, call).catch(() => undefined);
    if (answer?.status === CREATED) return [];
    await pause(POLL_MS);
  }
  return [{ guarantee: 'recovery', says: 'no payout is taken although the disk has room again' }];
}
