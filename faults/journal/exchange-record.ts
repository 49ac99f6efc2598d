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
  /** Whether the connection was left alone. */
  undisturbed: boolean;
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

/** One delivery as the webhook receiver got it, before it answered. */
export type ReceivedRecord = Readonly<{
  at: string;
  path: string;
  id: string;
  timestamp: string;
  signature: string;
  body: string;
  /** The n-th with its id, from 1. */
  nth: number;
  manner: 'taken' | 'http500' | 'slow' | 'hang' | 'reset';
}>;

/** What the service's processes use at one moment. */
export type ResourceSample = Readonly<{
  at: string;
  processes: readonly Readonly<{ name: string; pid: number; rssBytes: number; files: number }>[];
  /** Connections to the database, by the name that each process gave them; null: it did not answer. */
  connections: Readonly<Record<string, number>> | null;
}>;

/** One question that somebody else's key asked about an object, and the same about none. */
export type TenancyProbe = Readonly<{
  path: string;
  method: 'GET' | 'POST';
  asked: ProbeAnswer;
  /** The same with an id that nobody has. */
  unknown: ProbeAnswer;
}>;
export type ProbeAnswer = Readonly<{ status: number; body: unknown }>;

/** What somebody sent who is no operator, or no merchant. */
export type AttackRecord = Readonly<{
  at: string;
  kind: string;
  target: string;
  /** Null: the connection was ended without an answer. */
  status: number | null;
}>;

type RunEndpoint = Readonly<{ bookId: string; id: string; secret: string }>;

/** An event that was there before the feeds were read to their end. */
export type ToldEvent = Readonly<{ bookId: string; subjectId: string; seq: number }>;

/** A time in which something held that the checker must know of. */
export type WindowRecord = Readonly<{
  /** One wallet was locked from outside; or no commit could be confirmed. */
  kind: 'wallet locked' | 'standby missing';
  from: string;
  to: string;
  walletId: string | null;
}>;

/** An endpoint that was made during the run, and how far its book's feed went when the answer was there. */
export type LateEndpoint = RunEndpoint & Readonly<{ path: string; afterNumber: string }>;

/** What an operator was asked and sent up to a moment, when it has run without a break. */
export type KeptQuestions = Readonly<{
  keptAt: string;
  paths: readonly string[];
  /** The paths of what it was sent, without what it turned away for its token. */
  sent: readonly string[];
}>;

/** What the harness knows of a run, and the checker could not find out. */
export type RunFacts = Readonly<{
  books: Readonly<Record<'test' | 'live', string>>;
  otherBooks: Readonly<Record<'test' | 'live', string>>;
  services: number;
  /** Of each of the payer's wallets; null: none. */
  dailyLimitMinor: number | null;
  /** Where each book's events go. */
  endpoints: Readonly<Record<'test' | 'live', RunEndpoint>>;
  /** Each operator's routes, by the name of its book; two accounts at one operator have the same kind. */
  operators: readonly Readonly<{ name: string; kind: string; routes: readonly string[] }>[];
  /** The payer's wallets. */
  walletIds: readonly string[];
  /** Nothing broke but that wallets were locked. */
  calm: boolean;
  /** Strings that must not be in any log. */
  canaries: readonly string[];
  /** Whether the service's clock was moved. */
  clockMoved: boolean;
  /** What the waits of the routes are multiplied by, and how long references are remembered, in real time. */
  timeScale: number;
  referenceMemoryMs: number;
}>;

/** The names of the files in a run's folder. */
export const BANK_READS_FILE = 'bank-reads.jsonl';
export const JOURNALS_FOLDER = 'journals';
export const DUMP_FOLDER = 'dump';
export const REPORT_FILE = 'report.json';
export const FACTS_FILE = 'facts.json';
export const DELIVERIES_FILE = 'webhooks.jsonl';
export const SAMPLES_FILE = 'samples.jsonl';
export const TENANCY_FILE = 'tenancy.jsonl';
export const ATTACKS_FILE = 'attacks.jsonl';
export const TOLD_FILE = 'told.jsonl';
export const WINDOWS_FILE = 'windows.jsonl';
export const LATE_ENDPOINTS_FILE = 'endpoints.jsonl';
export const OPERATORS_FOLDER = 'operators';
/** In the folder of each operator. */
export const QUESTIONS_FILE = 'questions.jsonl';
/** Where the endpoints that are there from the beginning are called. */
export const RECEIVER_PATH = '/';
/** Whatever the service wrote for people to read. */
export const LOGS_FOLDER = 'logs';
