import type { ConnectionFault } from '../proxy/connection-fault.ts';
import type { Country } from './plan.ts';

/** The people of the merchant whose payouts are controlled, by what they do in the run. */
export const CONTROL_PEOPLE = {
  'owner-1': ['owner'],
  'owner-2': ['owner'],
  maker: ['maker'],
  'approver-1': ['approver'],
  'approver-2': ['approver'],
  /** Prepares and approves, which must never count for the same payout. */
  both: ['maker', 'approver'],
} as const;
export type ControlPerson = keyof typeof CONTROL_PEOPLE;

/** What a merchant with a policy does in a run: payouts that need approvals or wait for a time, and a payout file. */
export type ControlsPlan = Readonly<{
  /** Payouts of this amount and more need approvals. */
  approvalFromMinor: number;
  approvals: 1 | 2;
  /** What the wallet may pay in a day. */
  dayLimitMinor: number;
  /** How many payouts a number may get in an hour. */
  recipientMax: number;
  /** A payout that is later than this waits for people. */
  lateWithinSeconds: number;
  orders: readonly ControlledOrder[];
  /** Null: no file. */
  file: FilePlan | null;
  /** The people who decide about everything that still waits after the faults, one after the other. */
  lastDeciders: readonly ControlPerson[];
  /** A new version is published while payouts are ordered and approved. */
  republishAfterMs: number | null;
  /** A number is denied for a while; null: none is. */
  denial: Readonly<{ phone: string; afterMs: number; forMs: number }> | null;
}>;

/** The answer of the screener about a payout: one of its decisions, or an answer that cannot be read. */
export type ScreenerWord = 'allow' | 'hold' | 'refuse' | 'garbage';

export type ControlledOrder = Readonly<{
  pauseMs: number;
  reference: string;
  amountMinor: number;
  phone: string;
  operator: string;
  country: Country;
  /** Null: an API key. */
  maker: 'maker' | 'both' | null;
  /** Null: at once. */
  sendInMs: number | null;
  /** Null: no screener is asked. */
  screening: ScreenerWord | null;
  /** All who can approve it do so in the same moment, before any other decision. */
  isRushed: boolean;
  fates: readonly ConnectionFault[];
  decisions: readonly PlannedDecision[];
}>;

export type PlannedDecision = Readonly<{
  pauseMs: number;
  /** Null: the merchant's API key, which must not decide. */
  by: ControlPerson | null;
  act: 'approve' | 'reject' | 'cancel' | 'recall';
  /** Gives the hash of another content. */
  hasWrongHash: boolean;
  /** The one after it is sent in the same moment. */
  isTogether: boolean;
  fate: ConnectionFault;
}>;

export type FilePlan = Readonly<{
  afterMs: number;
  rows: readonly FileRow[];
  /** How often the file is submitted at once. */
  submits: number;
  /** Null: as soon as it is approved. */
  payInMs: number | null;
  fates: readonly ConnectionFault[];
  /** Null: it is paid to its end. */
  cancelAfterMs: number | null;
}>;

type FileRow = Readonly<{
  amountMinor: number;
  phone: string;
  operator: string;
  country: Country;
  /** Is uploaded with a broken amount, and corrected. */
  isBroken: boolean;
}>;
