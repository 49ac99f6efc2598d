import type { FaultPlan, OperatorName, ReceiverPlan } from './plan.ts';

/** The size of a seed's run; tests use smaller ones. */
export type PlanSize = Readonly<{
  clientsMin: number;
  clientsMax: number;
  ordersPerClient: number;
  faultsMin: number;
  faultsMax: number;
  /** Faults happen within this time from the start. */
  windowMs: number;
  /** In so many of 1,000 seeds hundreds of payouts are ordered while their operator is down. */
  paydaysPerMille: number;
  /** Whether some of several cells are on a second server. Default: they are. */
  hasSecondServer?: boolean;
  /** Default: everything, as the seed decides. */
  focus?: Focus;
}>;

/** The subject of a calm seed: a wallet that is locked for seconds, or the same references in opposite orders. */
export type Calm = 'locked wallet' | 'opposite orders';

/** Those of the second server are drawn with the cells. */
export type DrawnKind = Exclude<FaultPlan['kind'], 'kill cell server' | 'pause cell server'>;

/** Restricts a plan, so that few seeds show one kind of bug. */
export type Focus = Readonly<{
  livePerMille?: number;
  /** Share of orders to special test numbers. */
  specialPerMille?: number;
  flawedPerMille?: number;
  database?: 'own' | 'shared';
  services?: 1 | 2;
  secondAccount?: boolean;
  calm?: Calm | null;
  operators?: readonly OperatorName[];
  mix?: Readonly<Record<string, number>>;
  receiver?: ReceiverPlan;
  faults?: readonly [DrawnKind, ...DrawnKind[]];
  failpoints?: string | null;
  referenceMemoryHours?: number;
  signedCallbacksAreFinal?: boolean;
  amountMaxMinor?: number;
  /** In so many of 1,000 seeds wallets have a daily limit. */
  limitedPerMille?: number;
  /** In so many of 1,000 seeds a merchant has a policy. */
  controlledPerMille?: number;
  /** What the merchant with a policy does for sure. */
  controls?: ControlsFocus;
}>;

export type ControlsFocus = Readonly<{
  /** Big payouts need two approvals. */
  needsTwo?: boolean;
  /** Its file is to be paid at a later time. */
  schedulesFile?: boolean;
  /** It publishes its policy again. */
  republishes?: boolean;
  /** It denies a number to which most payouts go. */
  denies?: boolean;
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
