import type { Fate } from '../proxy/fate.ts';

/** All that a seed decides. Written to JSON as it is, and digested from that. */
export type Plan = Readonly<{
  seed: number;
  fees: Readonly<{ fixedMinor: number; basisPoints: number }>;
  clients: readonly ClientPlan[];
  /** In order of time. */
  faults: readonly FaultPlan[];
}>;

export type ClientPlan = Readonly<{ name: string; orders: readonly Order[] }>;

export type Country = 'zm' | 'ng';

/** What is wrong with an order on purpose; null: nothing. */
export type Flaw =
  | 'three decimals'
  | 'zero'
  | 'amount as text'
  | 'foreign phone'
  | 'unknown field'
  | 'unknown wallet'
  | 'live wallet'
  | 'wallet of the other currency'
  | 'more than there is'
  | 'wrong key';

/** One payout that a client asks for, and what it does about it afterwards. */
export type Order = Readonly<{
  pauseMs: number;
  reference: string;
  /** The number as it stands in the body: `100`, `1e2` and `100.00` mean the same. */
  amountText: string;
  phone: string;
  operator: string;
  country: Country;
  narration: string | null;
  recipientName: string | null;
  idempotencyKey: string | null;
  flaw: Flaw | null;
  /** The same request so many times at once. */
  copies: number;
  /** What happens to the connections of the first tries; later ones are left alone. */
  fates: readonly Fate[];
  /**
   * What the client does without an answer: the same again, at once or after everything is well; look
   * it up by its reference after everything is well; or nothing at all.
   */
  unanswered: 'again' | 'again later' | 'look up later' | 'nothing';
  afterwards: readonly FollowUp[];
}>;

export type FollowUp = Readonly<{
  kind: 'same again' | 'same reference, other amount' | 'same key, other reference' | FollowUpById;
  pauseMs: number;
  fate: Fate;
}>;
export type FollowUpById = 'read' | 'history' | 'cancel';

export type FaultPlan = Readonly<
  { atMs: number } & (
    | { kind: 'kill service'; downMs: number }
    | { kind: 'pause service'; pauseMs: number }
    | { kind: 'kill postmaster' }
    | { kind: 'kill backend'; perMille: number }
  )
>;
