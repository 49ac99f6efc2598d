import type { Currency } from '../../domain/money.ts';
import { matchNames } from '../../domain/name-match.ts';
import type { CompiledPolicy } from '../../domain/policy/compile-policy.ts';
import { evaluate, NOTHING_MATCHED } from '../../domain/policy/evaluate.ts';
import type { Answers, Order, PolicyResult } from '../../domain/policy/order.ts';
import type { PastTransfer } from './read-past.ts';
import { RecentMap } from './recent-map.ts';
import { longestSeconds, WindowCounts } from './window-counts.ts';

const SAMPLES_MAX = 20;
/** Pairs of number and amount that are remembered: about 40 MB at most. */
const PAIRS_MAX = 250_000;

export type RuleFigures = {
  matched: number;
  refused: number;
  sums: Map<Currency, bigint>;
  samples: string[];
};

/**
 * One policy, applied to past transfers in their order. What it refuses does not count for what comes after, as if it
 * had never been accepted.
 */
export class PolicyRun {
  readonly policy: CompiledPolicy;
  readonly #counts: WindowCounts;
  readonly #lastPaidMs: RecentMap<number>;
  readonly #answers: Answers;
  readonly #similarMs: number;
  #current: PastTransfer | undefined;
  readonly byRule: ReadonlyMap<string, RuleFigures>;
  transfers = 0;
  refused = 0;
  approvals = 0;
  warned = 0;
  screened = 0;

  constructor(policy: CompiledPolicy) {
    this.policy = policy;
    this.#counts = new WindowCounts(policy.counted);
    this.#similarMs = longestSimilarMs(policy);
    this.#lastPaidMs = new RecentMap({ sizeMax: PAIRS_MAX, neededMs: this.#similarMs });
    this.#answers = this.#answersOfCurrent();
    this.byRule = new Map(
      policy.rules.map(({ name }) => [
        name,
        { matched: 0, refused: 0, sums: new Map(), samples: [] },
      ]),
    );
  }

  /** Whether everything that rules ask about had a place in memory. */
  get isExact(): boolean {
    return this.#counts.isExact && !this.#lastPaidMs.hasForgotten;
  }

  /** Counts a transfer from before the period. */
  remember(past: PastTransfer): void {
    this.#counts.add(past.order);
    if (this.#similarMs === 0) return;
    const atMs = past.order.at.getTime();
    this.#lastPaidMs.set(pairOf(past.order), atMs, atMs);
  }

  judge(past: PastTransfer): void {
    this.transfers += 1;
    this.#current = past;
    const result = evaluate(this.policy, past.order, this.#answers);
    if (result !== NOTHING_MATCHED) this.#tally(past, result);
    if (result.refusedBy === null) this.remember(past);
  }

  #tally({ id, order }: PastTransfer, result: PolicyResult): void {
    if (result.refusedBy !== null) this.refused += 1;
    else if (result.approvals.length > 0) this.approvals += 1;
    if (result.warnings.length > 0) this.warned += 1;
    if (result.screens.length > 0) this.screened += 1;
    for (const name of result.matched) {
      const figures = this.byRule.get(name);
      if (figures === undefined) continue;
      figures.matched += 1;
      if (result.refusedBy !== null) figures.refused += 1;
      const { currency, amountMinor } = order;
      figures.sums.set(currency, (figures.sums.get(currency) ?? 0n) + amountMinor);
      if (figures.samples.length < SAMPLES_MAX) figures.samples.push(id);
    }
  }

  /** One object for all transfers: it answers about the one that is judged. */
  #answersOfCurrent(): Answers {
    const current = (): PastTransfer => {
      if (this.#current === undefined) throw new Error('no transfer is judged');
      return this.#current;
    };
    return {
      sumMinor: (need) => this.#counts.read(need, current().order.at).sumMinor,
      count: (need) => this.#counts.read(need, current().order.at).count,
      isFirstPayment: () => current().isFirstPayment === true,
      isOnAllowList: () => current().isOnAllowList === true,
      isSimilar: (withinMs) => {
        const { order } = current();
        const lastMs = this.#lastPaidMs.get(pairOf(order));
        return lastMs !== undefined && order.at.getTime() - lastMs <= withinMs;
      },
      nameMatch: () => {
        const { order, accountName } = current();
        if (order.recipientName === null || accountName === null) return null;
        return matchNames(order.recipientName, accountName);
      },
    };
  }
}

/** How long before the period transfers must be read, so that the first ones are judged rightly. */
export function rememberedMs(policy: CompiledPolicy): number {
  return Math.max(longestSeconds(policy.counted) * 1_000, longestSimilarMs(policy));
}

function longestSimilarMs({ policy: { rules } }: CompiledPolicy): number {
  return Math.max(0, ...rules.map(({ when }) => when.similarWithinMs ?? 0));
}

function pairOf({ phone, amountMinor }: Order): string {
  return `${phone} ${amountMinor}`;
}
