/**
 * What every emulated operator has, whatever its protocol: payouts, an own book of what it
 * executed, and instructions to misbehave. The protocols are in folders of their own.
 */

/** The header's two forms, or no header. */
export type RetryAfterForm = 'seconds' | 'date' | 'none';

/** How one payout is treated from the request to the last callback. Each part is independent. */
export type Behaviour = Readonly<{
  /** When money moves. `late`: after `lateMs`; until then an inquiry says that nobody knows it. */
  execute: 'once' | 'never' | 'twice' | 'late';
  lateMs: number;
  /**
   * How it ends when it is executed `never` although it was accepted: one of the words in
   * `refusal-words.ts`, or a code of the protocol's own. With `never` and null the operator did not
   * even take it: nobody knows it afterwards, and the same reference counts as new.
   */
  refusal: string | null;
  /** What the caller sees of the submission, after execution was decided. */
  answer:
    | 'normal'
    /** The connection stays open and silent. */
    | 'hang'
    | 'http500'
    | 'http400'
    | 'html'
    | 'reset'
    | 'resetMidBody'
    | 'http429'
    | 'http503'
    | 'tokenExpired';
  /** What `http429` and `http503` say in Retry-After: real seconds, whatever the pace. */
  retryAfterS: number;
  retryAfterAs: RetryAfterForm;
  /**
   * How long the operator recognises the reference, from when it took the payout. Later an inquiry does not find
   * it, and the same reference is another payout, which is paid as well.
   */
  remembersForMs: number;
  answerDelayMs: number;
  /** How long an accepted payout is pending before its end can be seen. */
  pendingMs: number;
  inquiry:
    | 'normal'
    | 'down'
    | 'wrongAmount'
    | 'wrongNumber'
    | 'contradictory'
    /** Answered and not answered in turns. */
    | 'alternating';
  callback:
    | 'once'
    | 'none'
    | 'twice'
    /** Before the submission is answered. */
    | 'early'
    | 'late'
    | 'contradictory'
    /** A lie from somebody else: bad or no signature, about a payout that may not even exist. */
    | 'forged'
    /** First the end, then "pending". */
    | 'outOfOrder';
}>;

/** One line of the operator's own book, written and fsynced when money moves. */
export type BookEntry = Readonly<{
  ourReference: string;
  /** Digits with the country code, however the protocol spells numbers. */
  msisdn: string;
  amountMinor: string;
  currency: string;
  receivedAt: string;
  executedAt: string;
  operatorTransactionId: string;
  /** The name of the behaviour's preset, or `custom`. */
  behaviour: string;
}>;

export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | Readonly<{ [name: string]: JsonValue }>;

/** One payout as the operator took it. It never changes; what becomes of it, the backend knows. */
export type Payout = Readonly<{
  /** The backend's own: without deduplication several payouts share `ourReference`. */
  id: string;
  ourReference: string;
  msisdn: string;
  amountMinor: bigint;
  currency: string;
  /** What the protocol needs to speak of it later. */
  extra: Readonly<Record<string, JsonValue>>;
  receivedAtMs: number;
  pendingMs: number;
  operatorTransactionId: string;
  behaviour: Behaviour;
  behaviourName: string;
}>;
