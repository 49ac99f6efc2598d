import { PAIRS } from './make-orders.ts';
import { writeNumber } from './make-spellings.ts';
import type { OperatorName } from './plan.ts';

/** Endings that no other order of a seed has. */
const STEADY_END = '000';
const BURST_END = '001';
const TEST_END = '500';
/**
 * 0.5 s at the operators' time scale: what is ordered at once is with them at once, well within the service's timeout.
 */
const BURST_ANSWER_MS = 50_000;

/** Operators always pay these numbers at once, so a payout to them waits only for the service. */
export const STEADY_RULES = [
  { match: { msisdnEndsIn: STEADY_END }, preset: 'ok' },
  {
    match: { msisdnEndsIn: BURST_END },
    preset: 'ok',
    behaviour: { answerDelayMs: BURST_ANSWER_MS },
  },
];

const ENDS = { test: TEST_END, live: STEADY_END, burst: BURST_END } as const;

/** The number of the n-th payout of a merchant in any cell, with its operator and country. */
export function steadyPayee(
  name: OperatorName,
  order: Readonly<{ kind: 'test' | 'live' | 'burst'; line: number }>,
) {
  const [pair] = PAIRS[name];
  const phone = writeNumber(pair, { line: order.line, end: ENDS[order.kind] });
  return { ...pair, phone };
}
