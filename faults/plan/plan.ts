import type { ConnectionFault } from '../proxy/connection-fault.ts';
import type { ControlsPlan } from './controls-plan.ts';

/** All decisions of a seed. The digest is computed from its JSON. */
export type Plan = Readonly<{
  seed: number;
  fees: Readonly<{ fixedMinor: number; basisPoints: number }>;
  /** The daily limit of each of the payer's wallets; null: none. */
  dailyLimitMinor: number | null;
  system: SystemPlan;
  clients: readonly ClientPlan[];
  /** Ordered by time. */
  faults: readonly FaultPlan[];
  /** Only single wallets are locked, so no other order may be late or refused. */
  calm: boolean;
  /** What a merchant with a policy does; null: there is none. */
  controls: ControlsPlan | null;
  /** Absent: there is one cell. */
  cells?: CellsPlan;
}>;

/** The second server is away. */
export type OutagePlan = Extract<FaultPlan, { kind: 'kill cell server' | 'pause cell server' }>;

/** Cells on one server, or on two: then merchants order payouts in each of them during the whole run. */
export type CellsPlan = Readonly<{
  /** Those beside `main` on the server of the directory; the payer is in the last, or in `main`. */
  near: readonly string[];
  /** Those on the second server; none: there is no such server. */
  far: readonly string[];
  /** The operator of their live payouts. */
  operator: OperatorName;
  /** How the second server is away once all other faults have ended; its time does not count. */
  away: OutagePlan | null;
}>;

/** The processes of a run and their misbehaviour. */
export type SystemPlan = Readonly<{
  /** `own`: the service's embedded server. `shared`: a server that any number of services use. */
  database: 'own' | 'shared';
  services: 1 | 2;
  /** Whether the database's files are on a small disk. */
  smallDisk: boolean;
  operators: readonly OperatorPlan[];
  /** A second account at MTN: another operator process with its own book and route. */
  secondAccount: OperatorPlan | null;
  receiver: ReceiverPlan;
  /** The routes' setting of how long operators recognise a reference. */
  referenceMemoryHours: number;
  /** The setting of pawaPay's routes by which its signed callbacks end payouts. */
  signedCallbacksAreFinal: boolean;
  /** The value of FAILPOINTS: points in the service's code at which it dies or stops; null: none. */
  failpoints: string | null;
}>;

/** Whether failpoints pause services, each until it is made to go on. */
export function pausesServices({ failpoints }: SystemPlan): boolean {
  return failpoints?.includes(':pause:') === true;
}

export const OPERATOR_NAMES = ['mtn', 'airtel', 'zamtel', 'vodacom', 'pawapay'] as const;
export type OperatorName = (typeof OPERATOR_NAMES)[number];
/** The operator that may have a second account, and that account's name. */
export const TWO_ACCOUNTS_OPERATOR = 'mtn';
export const SECOND_ACCOUNT = 'mtn-2';

export type OperatorPlan = Readonly<{
  name: OperatorName;
  /** The emulator draws each payout's behaviour by these weights, from the seed. */
  mix: Readonly<Record<string, number>>;
}>;

/** How many of 1,000 deliveries get each misbehaviour; the rest is accepted. */
export type ReceiverPlan = Readonly<{
  http500: number;
  slow: number;
  hang: number;
  reset: number;
  /** How long a slow answer to a screening takes; undefined: as long as one to a delivery. */
  slowScreeningMs?: number;
}>;

export type ClientPlan = Readonly<{
  name: string;
  orders: readonly Order[];
  /** The number of orders per bulk call; null: single calls. */
  bulkSize: number | null;
  /** Its calls are sent at the same moment as those of the other client with this flag. */
  meets?: true;
}>;

export type Country = 'zm' | 'ng';
export type Mode = 'test' | 'live';

/** A deliberate error in an order; null: none. */
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

/** One payout that a client orders, and its later requests about it. */
export type Order = Readonly<{
  pauseMs: number;
  mode: Mode;
  reference: string;
  /** The amount as written in the body: `100`, `1e2` and `100.00` are equal. */
  amountText: string;
  phone: string;
  operator: string;
  country: Country;
  narration: string | null;
  recipientName: string | null;
  idempotencyKey: string | null;
  flaw: Flaw | null;
  /** How often the same request is sent at once. */
  copies: number;
  /** The faults of the first tries' connections; later tries have none. */
  fates: readonly ConnectionFault[];
  /**
   * What the client does without an answer: send it again, at once or after the faults have ended; look it up
   * by its reference after the faults have ended; or nothing.
   */
  unanswered: 'again' | 'again later' | 'look up later' | 'nothing';
  afterwards: readonly FollowUp[];
}>;

export type FollowUp = Readonly<{
  kind: 'same again' | 'same reference, other amount' | 'same key, other reference' | FollowUpById;
  pauseMs: number;
  fate: ConnectionFault;
}>;
export type FollowUpById = 'read' | 'history' | 'cancel';

/** A temporary fault of the link between the service and its database or an operator. */
export type LinkFault =
  /** All connections are reset, including new ones. */
  | 'cut'
  /** The same, but new connections are refused, so a caller knows that nothing was sent. */
  | 'refuse'
  /** No bytes arrive any more, but the connections stay open. */
  | 'half-open'
  | 'delay'
  /** A few bytes at a time. */
  | 'slow'
  /** Requests arrive; answers are dropped, and the connection is reset. */
  | 'drop answers'
  /** Answers are cut in the middle. */
  | 'cut answers';

export type FaultPlan = Readonly<
  { atMs: number } & (
    | { kind: 'kill service'; service: number; downMs: number }
    | { kind: 'stop service'; service: number }
    | { kind: 'pause service'; service: number; pauseMs: number }
    /** As if the process had been paused for longer than its leases. */
    | { kind: 'pause service past its leases'; service: number; pauseMs: number }
    | { kind: 'move clock'; service: number; byMs: number }
    /** As if the whole machine had been paused. */
    | { kind: 'pause everything'; pauseMs: number }
    | { kind: 'kill postmaster' }
    | { kind: 'kill backend'; perMille: number }
    | { kind: 'pause postgres'; pauseMs: number }
    | { kind: 'fill disk'; fullMs: number }
    /** The fdatasync of the first commit within that time fails. */
    | { kind: 'disk error'; withinMs: number }
    | { kind: 'hold wallets'; holdMs: number }
    /** The index of one of the payer's wallets. */
    | { kind: 'hold wallet'; wallet: number; holdMs: number }
    /** As if a statement of the next day had locked every wallet before those of this day. */
    | { kind: 'turn day' }
    /** Commits wait for a standby that does not exist, and their waits are cancelled. */
    | { kind: 'lose standby'; forMs: number }
    /** One process temporarily runs without the first route of a pair, while others still have it. */
    | { kind: 'change routes'; service: number; restart: boolean; forMs: number }
    /** Another webhook endpoint is created while events are being written. */
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
    /** The second server's processes are killed, and it is started again; or they stop, and go on. */
    | { kind: 'kill cell server'; awayMs: number }
    | { kind: 'pause cell server'; awayMs: number }
    | { kind: 'rude clients' }
  )
>;
