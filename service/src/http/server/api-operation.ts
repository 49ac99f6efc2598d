import type { TSchema } from 'typebox';
import type { BookPermission, MerchantPermission, StaffPermission } from '../../domain/roles.ts';
import type { Scope } from '../../merchants/authenticated-key.ts';
import type { BookCaller, Caller, MerchantCaller, PersonCaller, UnknownCaller } from './caller.ts';
import type { JsonLimits } from './json-limits.ts';
import type { BodyNeed } from './read-body.ts';
import type { ReceivedUpload } from './read-upload.ts';
import type { PersonInBook, StepUp } from './session-guard.ts';
import type { JsonObject } from './strict-json.ts';

/** One operation of the API. Each has its own file; the server treats them all alike. */
export type Operation<C extends Caller> = Readonly<{
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the prefix of its area, in the router's syntax: '/transfers/:id'. */
  path: string;
  /** The name in openapi.json and in metrics: 'initiateTransfer'. */
  operationId: string;
  summary: string;
  /** Markdown for the documentation page. */
  description: string;
  tag: Tag;
  /** Its own rate limit, separate from that of the key. */
  rateLimit?: Readonly<{ perSecond: number; burst: number }>;
  /** Left out: JSON in the envelope. */
  answersWith?: 'redirect' | 'stream' | 'file';
  /** Set if it reads up to a hundred rows, or sums over many: such calls wait for their turn (call-queue.ts). */
  readsPage?: true;
  /**
   * Set if programs call it for each payout: such calls begin at once. All others that change something in a book wait
   * for their turn, except uploads, which take turns for parts of their work.
   */
  isOfPayouts?: true;
  /** Default: BODY_BYTES_MAX. */
  bodyBytesMax?: number;
  /** Set if its body is a file of at most this size instead of JSON. */
  uploadBytesMax?: number;
  /** Default: SMALL_JSON_LIMITS. */
  bodyShape?: JsonLimits;
  /** The error for a list in the body that has more items than `bodyShape` allows. */
  refuseLongList?: () => Error;
  /**
   * Request schemas document: what comes in is parsed by hand into domain types, with all broken fields at
   * once, and a test holds the two together. Response schemas also serialise: a field that is not in them
   * never leaves.
   */
  schema: Readonly<{
    params?: TSchema;
    querystring?: TSchema;
    headers?: TSchema;
    body?: TSchema;
    /** The `data` of each successful status; the server wraps it in the envelope. */
    data: Readonly<Record<number, TSchema>>;
  }>;
  handle(request: ApiRequest<C>): Promise<ApiAnswer>;
}>;

/** The parts of the documentation. */
export type Tag =
  | 'Transfers'
  | 'Approvals'
  | 'Payout files'
  | 'Recipients'
  | 'Wallets'
  | 'Operators'
  | 'Schedules'
  | 'Webhooks'
  | 'Events'
  | 'Session'
  | 'Account'
  | 'Keys'
  | 'People'
  | 'Controls'
  | 'Policy'
  | 'Operations';

/** An operation of a book, below /api/v1/payments: for keys with the scope, and for people with the permission. */
export type ApiOperation = Operation<BookCaller> &
  Readonly<{ scope: Scope; permission: BookPermission; stepUp?: StepUp }>;

/** An operation of a book for people alone: no key may call it, even one with all scopes. */
export type PeopleOperation = Operation<PersonInBook> &
  Readonly<{ permission: BookPermission; stepUp?: StepUp }>;

/** An operation that needs no session, such as signing in. */
export type PublicOperation = Operation<UnknownCaller>;

/** An operation of a person's own: the session, second factors, settings. */
export type OwnOperation = Operation<PersonCaller> & Readonly<{ stepUp?: boolean }>;

/** An operation of a merchant as a whole, below /api/v1/merchants/:merchantId. */
export type MerchantOperation = Operation<MerchantCaller> &
  Readonly<{ permission: MerchantPermission; stepUp?: boolean }>;

/** An operation of the staff, below /api/v1/operations. */
export type StaffOperation = Operation<PersonCaller> &
  Readonly<{ permission: StaffPermission; stepUp?: boolean }>;

export type ApiRequest<C extends Caller = BookCaller> = Readonly<{
  caller: C;
  requestId: string;
  /** The client's address. */
  address: string;
  /** A program on this machine sent it, over plain http. */
  isFromThisMachine: () => boolean;
  params: Readonly<Record<string, string>>;
  /** A repeated parameter keeps every value. */
  query: URLSearchParams;
  header(name: string): string | undefined;
  /** Whether the answer is no longer wanted: its client is gone, or the server stops. For calls that take long. */
  isAbandoned: () => boolean;
  /**
   * Does a part of the call in its turn (call-queue.ts), among pages that are read or uploads that are stored. For calls
   * that wait for something else in between.
   */
  inTurn<T>(among: 'pages' | 'uploads', work: () => Promise<T>): Promise<T>;
  /** The parsed body; undefined if the method has none. */
  body: JsonObject | undefined;
  /** The file, of an operation that takes one. */
  upload: ReceivedUpload | undefined;
}>;

export type ApiAnswer = JsonAnswer | TextAnswer | FileAnswer | RedirectAnswer | StreamAnswer;

type JsonAnswer = Readonly<{
  status: 200 | 201;
  message: string;
  data: unknown;
  headers?: Readonly<Record<string, string>>;
}>;

/** An answer without the envelope, such as a CSV file. */
type TextAnswer = Readonly<{
  status: 200;
  contentType: string;
  text: string;
  headers?: Readonly<Record<string, string>>;
}>;

/** A file that may be too long for memory. */
export type FileAnswer = Readonly<{
  status: 200;
  contentType: string;
  /** Asked for the next part when the client has read the last one. Ended early if the client disconnects. */
  parts: AsyncGenerator<Buffer, undefined>;
  headers?: Readonly<Record<string, string>>;
}>;

/** Sends the browser to another address. */
type RedirectAnswer = Readonly<{
  status: 302;
  location: string;
  headers?: Readonly<Record<string, string>>;
}>;

/** An answer that stays open: events are written to it as they come. */
type StreamAnswer = Readonly<{
  status: 200;
  /** Called once the head is sent. */
  begin(stream: EventStream): void;
  headers?: Readonly<Record<string, string>>;
}>;

/** An open answer of type text/event-stream. */
export type EventStream = Readonly<{
  /** Writes one event or comment, with the empty line after it. Ends the stream if its client reads too slowly. */
  write(text: string): void;
  end(): void;
  /** Called once, when the stream has ended, by either side; at once if it has ended before. */
  onEnd(listener: () => void): void;
}>;

/** A POST whose fields may all be left out needs no body. PUT and PATCH say what to change. */
export function bodyNeedOf({
  method,
  schema: { body },
}: Pick<Operation<Caller>, 'method' | 'schema'>): BodyNeed {
  if (body === undefined) return 'none';
  const { required = [] } = body as Readonly<{ required?: readonly string[] }>;
  return method !== 'POST' || required.length > 0 ? 'needed' : 'optional';
}
