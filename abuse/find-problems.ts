import type { Form } from './attacker/attacker.ts';
import type { AttackLimits } from './attacks/attack.ts';
import type { Guarantee, Observation, Problem } from './observation.ts';

const MIB = 1_024 * 1_024;
const PERCENT = 100;
const SERVER_ERROR_MIN = 500;
const UNAVAILABLE = 503;

type Limits = Readonly<{
  /** The share of the merchant's payouts that must be answered with 201, without a retry. */
  servedShareMin: number;
  merchantP95MaxMs: number;
  healthMaxMs: number;
  rssMaxBytes: number;
  /** How much more memory the service may use at the end than before the first attack. */
  rssGrowthMaxBytes: number;
}>;

export const LIMITS: Readonly<Record<Form, Limits>> = {
  long: {
    servedShareMin: 0.95,
    merchantP95MaxMs: 500,
    healthMaxMs: 1_000,
    rssMaxBytes: 700 * MIB,
    rssGrowthMaxBytes: 100 * MIB,
  },
  // A busy machine must not make a test fail, so times are shown and only answers are judged. Memory is measured
  // seconds after the attacks rather than a minute, when less of it was returned.
  short: {
    servedShareMin: 0.95,
    merchantP95MaxMs: Number.POSITIVE_INFINITY,
    healthMaxMs: Number.POSITIVE_INFINITY,
    rssMaxBytes: 700 * MIB,
    rssGrowthMaxBytes: 250 * MIB,
  },
};

/** Twenty payouts a second take a tenth of this. */
const DATABASE_GROWTH_MAX_BYTES = 8 * MIB;
/** The log of one attack should fit on a few screens. */
const LOG_LINES_MAX = 500;

const ATTACK_LIMITS: AttackLimits = {
  shedShareMax: 1,
  databaseGrowthMaxBytes: DATABASE_GROWTH_MAX_BYTES,
  transactionsPerSecondMax: Number.POSITIVE_INFINITY,
  logLinesMax: LOG_LINES_MAX,
};

export type ProblemOptions = Readonly<{
  form: Form;
  attackLimits: Partial<AttackLimits> | undefined;
  /** While the disk is full the merchant cannot be served, and readiness is refused. */
  mayRefuseMerchant: boolean;
}>;

/** Every guarantee that the attack broke; empty: all held. */
export function findProblems(observed: Observation, options: ProblemOptions): readonly Problem[] {
  const limits = LIMITS[options.form];
  const attackLimits = { ...ATTACK_LIMITS, ...options.attackLimits };
  return [
    ...judgeSurvival(observed, limits),
    ...(options.mayRefuseMerchant ? [] : judgeMerchant(observed, limits)),
    ...judgeHealth(observed, limits),
    ...judgeAnswers(observed, attackLimits),
    ...judgeTraces(observed, attackLimits),
  ];
}

function problem(guarantee: Guarantee, says: string): readonly Problem[] {
  return [{ guarantee, says }];
}

function judgeSurvival(observed: Observation, limits: Limits): readonly Problem[] {
  const { end, rssPeakBytes = 0, recoveredAfterMs } = observed;
  const { rssMaxBytes } = limits;
  const how = end && (end.signal ?? `code ${end.code}`);
  return [
    ...(how === undefined
      ? []
      : problem('survival', `the service ended: ${how}\n${observed.lastOutput}`)),
    ...(how !== undefined || recoveredAfterMs !== undefined
      ? []
      : problem('recovery', 'is not as before, long after the attack; it was started again')),
    ...(rssPeakBytes <= rssMaxBytes
      ? []
      : problem('memory', `${inMib(rssPeakBytes)} MiB resident, above ${inMib(rssMaxBytes)}`)),
  ];
}

function judgeMerchant({ merchant }: Observation, limits: Limits): readonly Problem[] {
  const { sent, created, byStatus, p95Ms } = merchant;
  const answers = Object.entries(byStatus).map(([status, count]) => `${count} × ${status}`);
  const isServed = sent > 0 && created / sent >= limits.servedShareMin;
  const isFast = p95Ms <= limits.merchantP95MaxMs;
  return [
    ...(isServed
      ? []
      : problem('merchant', `${created} of ${sent} payouts got 201; all: ${answers.join(', ')}`)),
    ...(isFast ? [] : problem('merchant', `p95 of the payouts is ${Math.round(p95Ms)} ms`)),
  ];
}

function judgeHealth({ health }: Observation, limits: Limits): readonly Problem[] {
  const { asked, failed, worstMs } = health;
  if (failed > 0) return problem('health', `${failed} of ${asked} health checks failed`);
  if (worstMs <= limits.healthMaxMs) return [];
  return problem('health', `a health check took ${Math.round(worstMs)} ms`);
}

function judgeAnswers({ attackers }: Observation, limits: AttackLimits): readonly Problem[] {
  if ('error' in attackers) return problem('attack', attackers.error);
  const { byStatus, flaws } = attackers.tally;
  const counts = Object.entries(byStatus).map(([status, count]) => ({
    status: Number(status),
    count,
  }));
  const errors = counts.filter(
    ({ status }) => status >= SERVER_ERROR_MIN && status !== UNAVAILABLE,
  );
  const all = counts.reduce((sum, { count }) => sum + count, 0);
  const shed = byStatus[UNAVAILABLE] ?? 0;
  return [
    ...errors.flatMap(({ status, count }) => problem('answers', `${count} answers of ${status}`)),
    ...flaws.flatMap(([text, count]) => problem('answers', `${count} × ${text}`)),
    ...(shed <= all * limits.shedShareMax
      ? []
      : problem('answers', `${shed} of ${all} answers are 503`)),
  ];
}

function judgeTraces(
  { logLines, database }: Observation,
  limits: AttackLimits,
): readonly Problem[] {
  const { growthBytes, transactionsPerSecond } = database ?? {
    growthBytes: 0,
    transactionsPerSecond: 0,
  };
  return [
    ...(logLines <= limits.logLinesMax ? [] : problem('log', `${logLines} lines in the log`)),
    ...(growthBytes <= limits.databaseGrowthMaxBytes
      ? []
      : problem('database', `the database grew by ${inMib(growthBytes)} MiB`)),
    ...(transactionsPerSecond <= limits.transactionsPerSecondMax
      ? []
      : problem('database', `${Math.round(transactionsPerSecond)} transactions a second`)),
  ];
}

export function inMib(bytes: number): number {
  return Math.round(bytes / MIB);
}

export function inPercent(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.floor((part / whole) * PERCENT);
}
