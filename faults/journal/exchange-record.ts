/** A line of a client's journal. A request that nothing follows was never answered. */
export type ExchangeRecord = AskedRecord | AnsweredRecord | UnansweredRecord;

export type AskedRecord = Readonly<{
  kind: 'asked';
  /** Numbered per journal. */
  exchange: number;
  at: string;
  method: 'GET' | 'POST';
  path: string;
  idempotencyKey: string | null;
  /** The bytes of the body, as text; null: none. */
  body: string | null;
  /** The reference of the transfer that this is about; null: about none in particular. */
  reference: string | null;
  /** Whether the request breaks a rule on purpose; null: it is as it should be. */
  flaw: string | null;
}>;

export type AnsweredRecord = Readonly<{
  kind: 'answered';
  exchange: number;
  at: string;
  status: number;
  /** The value of Idempotent-Replayed. */
  replayed: boolean;
  requestId: string | null;
  body: unknown;
}>;

/** No answer, or not a whole one: whatever was asked for may have happened or not. */
type UnansweredRecord = Readonly<{
  kind: 'unanswered';
  exchange: number;
  at: string;
  cause: string;
}>;

/** One reading of all the money, in one snapshot, while the run goes on. Minor units as text. */
export type BankRead = Readonly<{
  at: string;
  sums: readonly Readonly<{
    bookId: string;
    currency: string;
    /** What came in from outside. */
    fundedMinor: string;
    /** What the wallets' rows say, available and held. */
    walletsMinor: string;
    /** What the postings say of all accounts that are neither a wallet's nor funding. */
    elsewhereMinor: string;
    /** The smallest balance of any wallet. */
    leastMinor: string;
  }>[];
}>;

/** The names of the files in a run's folder. */
export const BANK_READS_FILE = 'bank-reads.jsonl';
export const JOURNALS_FOLDER = 'journals';
export const DUMP_FOLDER = 'dump';
export const REPORT_FILE = 'report.json';
