import { setTimeout as pause } from 'node:timers/promises';
import {
  type AbuseOptions,
  type AbuseResult,
  type IdleTimes,
  type Row,
  TIMES,
} from './abuse-run.ts';
import type { Form } from './attacker/attacker.ts';
import type { Attack } from './attacks/attack.ts';
import { FULL_DISK } from './attacks/full-disk.ts';
import { checkMerchant, readBooks, waitForQuietBook } from './check-books.ts';
import { findProblems, inMib, LIMITS } from './find-problems.ts';
import { readRss } from './measure/watch-memory.ts';
import type { Problem } from './observation.ts';
import { observeAttack, summariseHealth, summariseMerchant } from './observe-attack.ts';
import { runFullDisk } from './run-full-disk.ts';
import { openSession, type Session } from './session.ts';
import type { TestSystem } from './target/open-test-system.ts';

/** Attacks its own service, one attack after the other, and judges each. */
export async function runAbuse(options: AbuseOptions): Promise<AbuseResult> {
  const rows: Row[] = [];
  const add = (row: Row): void => {
    rows.push(row);
    options.onRow(row);
  };
  const withFullDisk = options.attacks.includes(FULL_DISK);
  const rest = options.attacks.filter((attack) => attack !== FULL_DISK);
  // A disk in memory is faster than a real one, so only the short form runs everything there.
  const inOneSession = withFullDisk && (options.form === 'short' || rest.length === 0);
  let overall = NOTHING_OVERALL;
  await withSession(options, inOneSession, async (session) => {
    if (rest.length > 0) overall = await runInSession(session, { ...options, attacks: rest }, add);
    if (inOneSession && !options.signal.aborted) add(await runFullDisk(session, options));
  });
  if (withFullDisk && !inOneSession && !options.signal.aborted) {
    await withSession(options, true, async (session) => add(await runFullDisk(session, options)));
  }
  return { seed: options.seed, form: options.form, rows, ...overall };
}

async function withSession(
  options: AbuseOptions,
  onSmallDisk: boolean,
  work: (session: Session) => Promise<void>,
): Promise<void> {
  options.onPhase(`starting the service${onSmallDisk ? ' on a small disk' : ''}`);
  const { tree, form } = options;
  const session = await openSession({ tree, onSmallDisk, ...TIMES[form] });
  try {
    await work(session);
  } finally {
    options.onPhase('ending the service');
    await session.close();
  }
}

type Overall = Pick<AbuseResult, 'idle' | 'rssBeforeBytes' | 'rssAfterBytes' | 'problems'>;

const NOTHING_OVERALL: Overall = {
  idle: undefined,
  rssBeforeBytes: undefined,
  rssAfterBytes: undefined,
  problems: [],
};

async function runInSession(
  session: Session,
  options: AbuseOptions,
  add: (row: Row) => void,
): Promise<Overall> {
  const { system, merchant } = session;
  await waitForQuietBook(system);
  const booksBefore = await readBooks(system);
  const before = await readMemory(system);
  const idle = await measureAtRest(session);
  for (const attack of options.attacks) {
    if (options.signal.aborted) return NOTHING_OVERALL;
    options.onPhase(`${attack.id} ${attack.title}`);
    const row = await runAttack(session, attack, options);
    add(row);
    if (row.observed?.recoveredAfterMs !== undefined) continue;
    options.onPhase('starting the service again');
    await system.restart();
  }
  const after = options.checksGrowth ? await readMemoryLater(system, options) : undefined;
  options.onPhase('looking at the books');
  await merchant.stop();
  const problems = [
    ...judgeGrowth(options.form, before, after),
    ...((await readBooks(system)) === booksBefore ? [] : [BOOK_CHANGED]),
    ...(await checkMerchant(system, merchant)),
  ];
  return { idle, rssBeforeBytes: before.rssBytes, rssAfterBytes: after?.rssBytes, problems };
}

/** From the start until now. */
async function measureAtRest(session: Session): Promise<IdleTimes> {
  const window = { fromMs: 0, toMs: performance.now() };
  await Promise.all([session.merchant.settle(), session.health.settle()]);
  const { p95Ms } = summariseMerchant(session, window);
  return { merchantP95Ms: p95Ms, healthWorstMs: summariseHealth(session, window).worstMs };
}

const BOOK_CHANGED: Problem = {
  guarantee: 'stored',
  says: 'a book changed that no attack may change',
};

type Memory = Readonly<{ pid: number; rssBytes: number | undefined }>;

async function readMemory(system: TestSystem): Promise<Memory> {
  const { pid } = system.service();
  return { pid, rssBytes: await readRss(pid) };
}

async function readMemoryLater(system: TestSystem, { form, signal, onPhase }: AbuseOptions) {
  onPhase('waiting to see how much memory is given back');
  await pause(TIMES[form].growthAfterMs, undefined, { signal }).catch(() => undefined);
  return readMemory(system);
}

async function runAttack(session: Session, attack: Attack, options: AbuseOptions): Promise<Row> {
  const { form, seed } = options;
  const { id, title } = attack;
  const { windowMinMs, timeShare, recoveryMaxMs } = TIMES[form];
  const order = {
    target: session.system.target(),
    seed,
    form,
    id,
    timeMaxMs: attack.timeMaxMs * timeShare,
  };
  const recovery = { withinMs: recoveryMaxMs, answeredInMs: LIMITS[form].healthMaxMs };
  const observed = await observeAttack(session, order, { windowMinMs, recovery });
  const problems = findProblems(observed, {
    form,
    attackLimits: attack.limits,
    mayRefuseMerchant: false,
  });
  return { id, title, observed, skipped: undefined, problems };
}

/** A process that was started again meanwhile has no memory to return. */
function judgeGrowth(form: Form, before: Memory, after: Memory | undefined): readonly Problem[] {
  const [first, last] = [before.rssBytes, after?.rssBytes];
  if (first === undefined || last === undefined || before.pid !== after?.pid) return [];
  if (last - first <= LIMITS[form].rssGrowthMaxBytes) return [];
  const says = `${inMib(last)} MiB resident after all attacks, ${inMib(first)} before`;
  return [{ guarantee: 'growth', says }];
}
