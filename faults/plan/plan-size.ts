import type { FaultPlan, OperatorName, ReceiverPlan } from './plan.ts';

/** How much a seed does; a test wants less than a long run. */
export type PlanSize = Readonly<{
  clientsMin: number;
  clientsMax: number;
  ordersPerClient: number;
  faultsMin: number;
  faultsMax: number;
  /** Faults happen in the first so many milliseconds. */
  windowMs: number;
  /** In so many of a thousand seeds hundreds of payouts are ordered while their operator is away. */
  paydaysPerMille: number;
  /** Left out: everything there is, as the seed says. */
  focus?: Focus;
}>;

/** What a calm seed is about: a wallet that is locked for long, or the same references in opposite orders. */
export type Calm = 'locked wallet' | 'opposite orders';

/** What a plan is about, when it is to show one thing in few seeds. */
export type Focus = Readonly<{
  livePerMille?: number;
  /** Of the orders; the rest is paid to any number. */
  specialPerMille?: number;
  flawedPerMille?: number;
  database?: 'own' | 'shared';
  services?: 1 | 2;
  secondAccount?: boolean;
  calm?: Calm | null;
  operators?: readonly OperatorName[];
  mix?: Readonly<Record<string, number>>;
  receiver?: ReceiverPlan;
  faults?: readonly [FaultPlan['kind'], ...FaultPlan['kind'][]];
  failpoints?: string | null;
  referenceMemoryHours?: number;
  amountMaxMinor?: number;
  /** In so many of a thousand seeds wallets have a daily limit. */
  limitedPerMille?: number;
}>;

export const FULL_SIZE: PlanSize = {
  clientsMin: 4,
  clientsMax: 7,
  ordersPerClient: 16,
  faultsMin: 4,
  faultsMax: 9,
  windowMs: 5_000,
  paydaysPerMille: 100,
};
