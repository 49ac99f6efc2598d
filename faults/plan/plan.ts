import type { Fate } from '../proxy/fate.ts';

/** All that a seed decides. Written to JSON as it is, and digested from that. */
export type Plan = Readonly<{
  seed: number;
  fees: Readonly<{ fixedMinor: number; basisPoints: number }>;
  /** What each of the payer's wallets may pay in a day; null: any amount. */
  dailyLimitMinor: number | null;
  world: WorldPlan;
  clients: readonly ClientPlan[];
  /** In order of time. */
  faults: readonly FaultPlan[];
  /** Nothing breaks but that single wallets are locked: then no other order may be late or refused. */
  calm: boolean;
}>;

/** What runs, and how it is inclined to misbehave. */
export type WorldPlan = Readonly<{
  /** Of its own: the service's embedded server. Shared: one that any number of services use. */
  database: 'own' | 'shared';
  services: 1 | 2;
  /** Whether the database's files are on a small disk. */
  smallDisk: boolean;
  operators: readonly OperatorPlan[];
  /** A second account at MTN: another operator process with a book of its own, by another route. */
  secondAccount: OperatorPlan | null;
  receiver: ReceiverPlan;
  /** How long routes take their operators to recognise a reference. */
  referenceMemoryHours: number;
  /** Points in the service's code at which it dies, as FAILPOINTS wants them; null: at none. */
  failpoints: string | null;
}>;

export const OPERATOR_NAMES = ['mtn', 'airtel', 'zamtel', 'vodacom', 'pawapay'] as const;
export type OperatorName = (typeof OPERATOR_NAMES)[number];
/** The operator that may have a second account, and what that account is called. */
export const TWO_ACCOUNTS_OPERATOR = 'mtn';
export const SECOND_ACCOUNT = 'mtn-2';

export type OperatorPlan = Readonly<{
  name: OperatorName;
  /** The emulator draws each payout's behaviour by these weights, from the seed. */
  mix: Readonly<Record<string, number>>;
}>;

/** How many of a thousand deliveries meet what; the rest is taken. */
export type ReceiverPlan = Readonly<{
  http500: number;
  slow: number;
  hang: number;
  reset: number;
}>;

export type ClientPlan = Readonly<{
  name: string;
  orders: readonly Order[];
  /** Whether its orders go out in bulk calls, so many at a time; null: one by one. */
  bulkSize: number | null;
  /** Its calls leave at the same moment as those of the other client that does so. */
  meets?: true;
}>;

export type Country = 'zm' | 'ng';
export type Mode = 'test' | 'live';

/** What is wrong with an order on purpose; null: nothing. */
export type Flaw =
  | 'three decimals'
  | 'zero'
  | 'amount as text'
  | 'foreign phone'
  | 'unknown field'
  | 'unknown wallet'
  | 'wallet of the other mode'
  | 'wallet of the other currency'
  | 'more than there is'
  | 'wrong key';

/** One payout that a client asks for, and what it does about it afterwards. */
export type Order = Readonly<{
  pauseMs: number;
  mode: Mode;
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

/** What becomes of a link for a while: between the service and its database, or an operator. */
export type LinkFault =
  /** All connections are cut, and new ones too. */
  | 'cut'
  /** The same, and new ones are refused: whoever asks knows that nothing was heard. */
  | 'refuse'
  /** Nothing arrives any more, and nobody is told. */
  | 'half-open'
  | 'delay'
  /** A few bytes at a time. */
  | 'slow'
  /** What is asked arrives; the answer does not, and the connection is cut. */
  | 'drop answers'
  /** The answer begins, and is cut in the middle. */
  | 'cut answers';

export type FaultPlan = Readonly<
  { atMs: number } & (
    | { kind: 'kill service'; service: number; downMs: number }
    | { kind: 'stop service'; service: number }
    | { kind: 'pause service'; service: number; pauseMs: number }
    /** As if the process had stood still for longer than its leases run. */
    | { kind: 'pause service past its leases'; service: number; pauseMs: number }
    | { kind: 'move clock'; service: number; byMs: number }
    /** As if the whole machine had stood still. */
    | { kind: 'pause everything'; pauseMs: number }
    | { kind: 'kill postmaster' }
    | { kind: 'kill backend'; perMille: number }
    | { kind: 'pause postgres'; pauseMs: number }
    | { kind: 'fill disk'; fullMs: number }
    /** The first commit within that time fails on the disk. */
    | { kind: 'disk error'; withinMs: number }
    | { kind: 'hold wallets'; holdMs: number }
    /** One of the payer's wallets, by its place in their list. */
    | { kind: 'hold wallet'; wallet: number; holdMs: number }
    /** As if a statement of the next day had got every wallet before those of this day. */
    | { kind: 'turn day' }
    /** Commits wait for a standby that is not there, and their waits are cancelled. */
    | { kind: 'lose standby'; forMs: number }
    /** The process runs without the first route of a pair for a while, and others still with it. */
    | { kind: 'change routes'; service: number; restart: boolean; forMs: number }
    /** A further webhook endpoint is made while events are being written. */
    | { kind: 'create endpoint'; mode: Mode }
    | { kind: 'use up connections'; holdMs: number }
    | { kind: 'database link'; condition: LinkFault; forMs: number }
    | { kind: 'operator link'; operator: OperatorName; condition: LinkFault; forMs: number }
    | { kind: 'kill operator'; operator: OperatorName; downMs: number }
    | { kind: 'pause operator'; operator: OperatorName; pauseMs: number }
    | {
        kind: 'operator condition';
        operator: OperatorName;
        condition: 'down' | 'hang' | 'slow';
        forMs: number;
      }
    | { kind: 'kill receiver'; downMs: number }
    | { kind: 'repeat callbacks'; perMille: number; times: number }
    | { kind: 'forge callbacks'; perMille: number }
    | { kind: 'huge callbacks' }
    | { kind: 'idle clients'; sockets: number; forMs: number }
    | { kind: 'rude clients' }
  )
>;
