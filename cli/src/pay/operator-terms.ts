import type { Country, Kafue, Operator } from '../../../sdk/src/index.ts';
import { feeOf } from '../../../service/src/domain/fee.ts';
import { countOf } from '../format-table.ts';
import { fromJsonNumber } from '../payout-file/amount.ts';
import type { Payout } from '../payout-file/payout.ts';

/** What the book pays at each operator, and the limits there. */
export type OperatorTerms = Readonly<{
  feeMinorOf: (payout: Payout) => bigint;
  /** Reasons why some payouts will not be paid now, as sentences. */
  warnOf: (payouts: readonly Payout[]) => readonly string[];
}>;

export async function readOperatorTerms(kafue: Pick<Kafue, 'operators'>): Promise<OperatorTerms> {
  const routes = await kafue.operators.list();
  const byPair = new Map(routes.map((route) => [pairOf(route), route]));
  const termsOf = (payout: Payout) => {
    const route = byPair.get(pairOf(payout));
    if (route === undefined) throw new Error(`the service does not list ${pairOf(payout)}`);
    return route;
  };
  return {
    feeMinorOf: (payout) => {
      const { fixed, basisPoints } = termsOf(payout).fee;
      return feeOf({ fixedMinor: fromJsonNumber(fixed), basisPoints }, payout.amountMinor);
    },
    warnOf: (payouts) => {
      const isAvailable = (payout: Payout) => termsOf(payout).available;
      const isInBounds = (payout: Payout) => {
        const { min, max } = termsOf(payout);
        if (min === null || max === null) return true;
        const { amountMinor } = payout;
        return fromJsonNumber(min) <= amountMinor && amountMinor <= fromJsonNumber(max);
      };
      const isUp = (payout: Payout) => termsOf(payout).health !== 'down';
      return [
        ...warn(payouts, isAvailable, 'not available to this key and will be refused'),
        ...warn(payouts, isInBounds, 'outside what the operator takes and will be refused'),
        ...warn(payouts, isUp, 'for an operator that is down now and will wait in the queue'),
      ];
    },
  };
}

function pairOf({ operator, country }: Readonly<{ operator: Operator; country: Country }>): string {
  return `${operator} in ${country}`;
}

/** One sentence for all payouts outside the limits, which names the first. */
function warn(
  payouts: readonly Payout[],
  passes: (payout: Payout) => boolean,
  what: string,
): readonly string[] {
  const concerned = payouts.filter((payout) => !passes(payout));
  const [first] = concerned;
  if (first === undefined) return [];
  const verb = concerned.length === 1 ? 'is' : 'are';
  return [
    `${countOf(concerned.length, 'payout')} ${verb} ${what}: first line ${first.line}, ${pairOf(first)}.`,
  ];
}
