/** A line of a client's journal. A request without a following line was never answered. */
export type ExchangeRecord = RequestRecord | AnsweredRecord | UnansweredRecord;

export type RequestRecord = Readonly<{
  kind: 'request';
  /** Numbered per journal. */
  exchange: number;
  at: string;
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  idempotencyKey: string | null;
  /** The body as text; null: none. */
  body: string | null;
  /** The reference of the transfer concerned; null: none in particular. */
  reference: string | null;
  /** How the request breaks a rule on purpose; null: it is valid. */
  flaw: string | null;
  /** Whether the connection had no fault. */
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

/** No answer or an incomplete one: the request may have taken effect or not. */
type UnansweredRecord = Readonly<{
  kind: 'unanswered';
  exchange: number;
  at: string;
  cause: string;
}>;

/** One reading of all money in one snapshot during the run. Minor units as text. */
export type BankRead = Readonly<{
  at: string;
  sums: readonly Readonly<{
    bookId: string;
    currency: string;
    /** The money that was funded from outside. */
    fundedMinor: string;
    /** The sum of the wallets' rows, available and held. */
    walletsMinor: string;
    /** The sum by postings of all accounts that are neither a wallet's nor funding. */
    elsewhereMinor: string;
    /** The smallest balance of any wallet. */
    leastMinor: string;
  }>[];
}>;

/** One delivery as the webhook receiver got it, recorded before it answered. */
export type ReceivedRecord = Readonly<{
  at: string;
  path: string;
  id: string;
  timestamp: string;
  signature: string;
  body: string;
  /** How often this id has come, from 1. */
  nth: number;
  manner: 'taken' | 'http500' | 'slow' | 'hang' | 'reset';
  /** How long the answer is held back. */
  waitMs: number;
}>;

/** The manners in which a receiver answers as it should. */
export const ANSWERED_MANNERS: readonly ReceivedRecord['manner'][] = ['taken', 'slow'];

/** The resource use of the service's processes at one moment. */
export type ResourceSample = Readonly<{
  at: string;
  processes: readonly Readonly<{ name: string; pid: number; rssBytes: number; files: number }>[];
  /** Connections to the database by application name; null: the database did not answer. */
  connections: Readonly<Record<string, number>> | null;
}>;

/** A request about an existing object with the key of another book, and the same about an unknown one. */
export type TenancyProbe = Readonly<{
  path: string;
  method: 'GET' | 'POST';
  existing: ProbeAnswer;
  /** The answer to the same request with an unknown id. */
  unknown: ProbeAnswer;
}>;
export type ProbeAnswer = Readonly<{ status: number; body: unknown }>;

/** A request by an attacker. */
export type AttackRecord = Readonly<{
  at: string;
  kind: string;
  target: string;
  /** Null: the connection was closed without an answer. */
  status: number | null;
}>;

type RunEndpoint = Readonly<{ bookId: string; id: string; secret: string }>;

/** An event that merchants see, written before the feeds were read to their end. */
export type PublicEvent = Readonly<{ bookId: string; subjectId: string; seq: number }>;

/** A period of a fault that the checker must know about. */
export type WindowRecord = Readonly<{
  /**
   * `wallet locked`: one wallet was locked from outside. `standby missing`: no commit could be confirmed. `server
   * away`: the second server was down, without another fault. `nothing broken`: there was no fault, right before that.
   */
  kind: 'wallet locked' | 'standby missing' | 'server away' | 'nothing broken';
  from: string;
  to: string;
  walletId: string | null;
}>;

/** An endpoint created during the run, and the last number of its book's feed when the answer arrived. */
export type LateEndpoint = RunEndpoint & Readonly<{ path: string; afterNumber: string }>;

/** The requests that reached an operator up to a moment, if it ran without interruption. */
export type OperatorRequests = Readonly<{
  keptAt: string;
  paths: readonly string[];
  /** The paths of submissions, without those refused for their token. */
  sent: readonly string[];
}>;

/** What the checker knows about the merchant with a policy. */
export type ControlFacts = Readonly<{
  bookId: string;
  walletId: string;
  approvalFromMinor: number;
  approvals: number;
  dayLimitMinor: number;
  recipientMax: number;
  /** The ids of its people, with their roles. */
  people: readonly Readonly<{ id: string; roles: readonly string[] }>[];
}>;

/** Facts about a run that the checker cannot derive from its other inputs. */
export type RunFacts = Readonly<{
  /** Null: no merchant of the run has a policy. */
  controls: ControlFacts | null;
  books: Readonly<Record<'test' | 'live', string>>;
  otherBooks: Readonly<Record<'test' | 'live', string>>;
  services: number;
  /** The daily limit of each of the payer's wallets; null: none. */
  dailyLimitMinor: number | null;
  /** The webhook endpoint of each book. */
  endpoints: Readonly<Record<'test' | 'live', RunEndpoint>>;
  /** Each operator's routes, by the name of its book; two accounts at one operator have the same kind. */
  operators: readonly Readonly<{ name: string; kind: string; routes: readonly string[] }>[];
  /** The payer's wallets. */
  walletIds: readonly string[];
  /** The merchants that order payouts in each cell, by the names of their journals. */
  steady: readonly Readonly<{
    name: string;
    isFar: boolean;
    books: Readonly<Record<'test' | 'live', string>>;
  }>[];
  /** The only faults were locked wallets and reordered requests. */
  calm: boolean;
  /** Strings that must not be in any log. */
  canaries: readonly string[];
  /** Whether the service's clock was moved. */
  clockMoved: boolean;
  /** The factor of the routes' waits; and how long references are remembered, in real time. */
  timeScale: number;
  referenceMemoryMs: number;
}>;

/** A call that needs no cell, and how long its answer took: this is up to the machine alone. */
export type IdleCall = Readonly<{ at: string; ms: number }>;

/** The names of the files in a run's folder. */
export const BANK_READS_FILE = 'bank-reads.jsonl';
export const JOURNALS_FOLDER = 'journals';
/** The journals of the merchant with a policy. */
export const CONTROLS_FOLDER = 'controls';
/** The journals of the merchants that order payouts in each cell. */
export const STEADY_FOLDER = 'steady';
export const IDLE_CALLS_FILE = 'idle-calls.jsonl';
export const DUMP_FOLDER = 'dump';
export const REPORT_FILE = 'report.json';
export const FACTS_FILE = 'facts.json';
export const DELIVERIES_FILE = 'webhooks.jsonl';
export const SAMPLES_FILE = 'samples.jsonl';
export const TENANCY_FILE = 'tenancy.jsonl';
export const ATTACKS_FILE = 'attacks.jsonl';
export const PUBLIC_EVENTS_FILE = 'public-events.jsonl';
export const WINDOWS_FILE = 'windows.jsonl';
export const LATE_ENDPOINTS_FILE = 'endpoints.jsonl';
export const OPERATORS_FOLDER = 'operators';
/** A file in the folder of each operator. */
export const REQUESTS_FILE = 'requests.jsonl';
/** The path of the endpoints that exist from the beginning. */
export const RECEIVER_PATH = '/';
/** Where the receiver answers as a screener. */
export const SCREENER_PATH = '/screen';
/** The folder of logs and metrics. */
export const LOGS_FOLDER = 'logs';
