import type { CellsPlan, FaultPlan, OperatorName, OutagePlan, SystemPlan } from './plan.ts';
import type { PlanSize } from './plan-size.ts';
import { createRandom, type Random } from './random.ts';

const FURTHER_FAR_PER_MILLE = 333;
const PAUSED_PER_MILLE = 400;
/** No fault happens before the clients have started. */
const FIRST_MIN_MS = 300;
const FAULTS_MAX = 2;
const AWAY_MIN_MS = 200;
const AWAY_MAX_MS = 2_000;
/**
 * Long enough to take orders once the first are over, and shorter than the 8 seconds of the longest wait for a server.
 */
const ALONE_MIN_MS = 3_500;
const ALONE_MAX_MS = 4_500;

/** The cells of a seed, on two servers. Null: there is one cell. */
export function makeCells(
  seed: number,
  { cells, size, system }: Readonly<{ cells: number; size: PlanSize; system: SystemPlan }>,
): CellsPlan | null {
  if (cells === 1) return null;
  const random = createRandom(seed, 'cells');
  const numbers = Array.from({ length: cells - 1 }, (_, index) => index + 2);
  const operator = chooseOperator(system);
  if (size.hasSecondServer === false) {
    return { near: numbers.map(nearName), far: [], operator, away: null };
  }
  // The last one is the payer's, where there are more than two.
  const choices = cells === 2 ? numbers : numbers.slice(0, -1);
  const sure = choices[random.between(0, choices.length - 1)];
  const isFar = new Set(
    choices.filter((number) => number === sure || random.chance(FURTHER_FAR_PER_MILLE)),
  );
  return {
    near: numbers.filter((number) => !isFar.has(number)).map(nearName),
    far: numbers.filter((number) => isFar.has(number)).map((number) => `far_${number}`),
    operator,
    away: makeAway(random, { atMs: 0, minMs: ALONE_MIN_MS, maxMs: ALONE_MAX_MS }),
  };
}

const nearName = (number: number) => `cell_${number}`;

/** Prefers an operator with inquiries: without them a payout whose answer was not recorded needs a person. */
function chooseOperator({ operators }: SystemPlan): OperatorName {
  const names = operators.map(({ name }) => name);
  return names.find((name) => name !== 'zamtel') ?? names[0] ?? 'mtn';
}

/** The faults of the second server, among all others; none in a plan that is restricted to certain faults. */
export function makeCellFaults(seed: number, size: PlanSize): readonly FaultPlan[] {
  if (size.focus?.faults !== undefined || size.faultsMax === 0) return [];
  if (size.hasSecondServer === false) return [];
  const random = createRandom(seed, 'faults of cells');
  return Array.from({ length: random.between(1, FAULTS_MAX) }, () => {
    const atMs = random.between(FIRST_MIN_MS, size.windowMs);
    return makeAway(random, { atMs, minMs: AWAY_MIN_MS, maxMs: AWAY_MAX_MS });
  });
}

function makeAway(
  random: Random,
  { atMs, minMs, maxMs }: Readonly<{ atMs: number; minMs: number; maxMs: number }>,
): OutagePlan {
  const kind = random.chance(PAUSED_PER_MILLE) ? 'pause cell server' : 'kill cell server';
  return { kind, atMs, awayMs: random.between(minMs, maxMs) };
}
