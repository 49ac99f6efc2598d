import type { TSchema } from 'typebox';
import type { AuthenticatedKey, Scope } from '../../merchants/authenticated-key.ts';
import type { JsonLimits } from './json-limits.ts';
import type { JsonObject } from './strict-json.ts';

/** One operation of the merchant API. Each has its own file; the server treats them all alike. */
export type ApiOperation = Readonly<{
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below /api/v1/payments, in the router's syntax: '/transfers/:id'. */
  path: string;
  /** The name in openapi.json and in metrics: 'initiateTransfer'. */
  operationId: string;
  summary: string;
  /** Markdown for the documentation page. */
  description: string;
  tag: 'Transfers' | 'Recipients' | 'Wallets' | 'Operators' | 'Webhooks' | 'Events';
  scope: Scope;
  /** Its own rate limit, separate from that of the key. */
  rateLimit?: Readonly<{ perSecond: number; burst: number }>;
  /** Set if it reads up to a hundred rows: such calls go through PageQueue. */
  readsPage?: true;
  /** Default: BODY_BYTES_MAX. */
  bodyBytesMax?: number;
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
  handle(request: ApiRequest): Promise<ApiAnswer>;
}>;

export type ApiRequest = Readonly<{
  key: AuthenticatedKey;
  requestId: string;
  params: Readonly<Record<string, string>>;
  /** A repeated parameter keeps every value. */
  query: URLSearchParams;
  header(name: string): string | undefined;
  /** The parsed body; undefined if the method has none. */
  body: JsonObject | undefined;
}>;

export type ApiAnswer = JsonAnswer | TextAnswer;

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
