/**
 * The types that all emulated operators share: payouts, the book of executed payments, and
 * instructions to misbehave. Each protocol has its own folder.
 */

/** The two forms of the Retry-After header, or no header. */
export type RetryAfterForm = 'seconds' | 'date' | 'none';

/** How the operator treats one payout from the request to the last callback. The members are independent. */
export type Behaviour = Readonly<{
  /** When money moves. `late`: after `lateMs`; until then inquiries do not find the payout. */
  execute: 'once' | 'never' | 'twice' | 'late';
  lateMs: number;
  /**
   * Why an accepted payout with `execute: 'never'` fails: one of the words in `refusal-words.ts`, or a
   * code of the protocol. With `never` and null the operator does not accept the payout: no inquiry
   * finds it, and its reference stays unused.
   */
  refusal: string | null;
  /** How the submission is answered, independent of its execution. */
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
  /** The Retry-After of `http429` and `http503` in real seconds, not multiplied by the time scale. */
  retryAfterS: number;
  retryAfterAs: RetryAfterForm;
  /**
   * How long the operator recognises the reference after it accepted the payout. Later an inquiry does not find
   * it, and the same reference is a new payout, which is paid as well.
   */
  remembersForMs: number;
  answerDelayMs: number;
  /** How long an accepted payout is pending before its end is visible. */
  pendingMs: number;
  inquiry:
    | 'normal'
    | 'down'
    | 'wrongAmount'
    | 'wrongNumber'
    | 'contradictory'
    /** Alternately "pending" and unavailable. */
    | 'alternating';
  callback:
    | 'once'
    | 'none'
    | 'twice'
    /** Sent before the submission is answered. */
    | 'early'
    | 'late'
    | 'contradictory'
    /** False callbacks by another sender: wrongly signed or unsigned, also about a payout that does not exist. */
    | 'forged'
    /** First the end, then "pending". */
    | 'outOfOrder';
}>;

/** One line of the operator's own book, written and fsynced when money moves. */
export type BookEntry = Readonly<{
  ourReference: string;
  /** Digits with the country code; protocols may write the number in another form. */
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

/** One payout as the operator accepted it. It never changes; the backend keeps its progress. */
export type Payout = Readonly<{
  /** Made by the backend, because without deduplication several payouts share `ourReference`. */
  id: string;
  ourReference: string;
  msisdn: string;
  amountMinor: bigint;
  currency: string;
  /** Fields that the protocol needs for later answers. */
  extra: Readonly<Record<string, JsonValue>>;
  receivedAtMs: number;
  pendingMs: number;
  operatorTransactionId: string;
  behaviour: Behaviour;
  behaviourName: string;
}>;
