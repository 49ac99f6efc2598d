import { CONNECTION_COUNTS, type ConnectionCounts } from './connection-limits.ts';
import { QUEUE_LIMITS, type QueueLimits } from './request-queue.ts';
import { UNREAD_BYTES_MAX } from './unread-answers.ts';

/** Bodies are small: a transfer is under 1 KiB. */
export const BODY_BYTES_MAX = 16 * 1024;
/** All headers of a request together. */
export const HEADER_BYTES_MAX = 16 * 1024;
export const HEADERS_MAX = 100;
/** A reference of 100 characters, each percent-encoded, with room to spare. */
export const PATH_PARAMETER_LENGTH_MAX = 400;
/** What Retry-After says when the refusal does not know better. */
export const RETRY_AFTER_SECONDS = 1;

/** Times and sizes that a deployment may want otherwise, and tests want short. */
export type ServerLimits = Readonly<{
  /** All headers must have arrived after this time; this ends slow-loris attacks. */
  headersTimeoutMs: number;
  /** The whole request, body included. */
  requestTimeoutMs: number;
  /** How often connections are held against the two times above. */
  checkIntervalMs: number;
  /** How long a connection may stay open between two requests. */
  keepAliveTimeoutMs: number;
  /** A connection on which nothing moves: its client does not read what it asked for. */
  inactivityTimeoutMs: number;
  connectionsMax: number;
  counts: ConnectionCounts;
  /** Connections that wait to be accepted by us. With few, a client of a busy server tries for seconds. */
  backlog: number;
  queue: QueueLimits;
  unreadBytesMax: number;
  /**
   * How long we go on reading what nobody wants after an answer that ends the connection. Closing
   * at once would make the client's system throw our answer away together with the connection.
   */
  lingerMs: number;
  /** A stopping server answers newcomers for so long, so that load balancers see it going. */
  drainMinMs: number;
  /** A stopping server is gone after this time, whatever happens. */
  drainDeadlineMs: number;
}>;

export const SERVER_LIMITS: ServerLimits = {
  headersTimeoutMs: 5_000,
  requestTimeoutMs: 10_000,
  checkIntervalMs: 500,
  keepAliveTimeoutMs: 10_000,
  inactivityTimeoutMs: 30_000,
  connectionsMax: 10_000,
  counts: CONNECTION_COUNTS,
  backlog: 4_096,
  queue: QUEUE_LIMITS,
  unreadBytesMax: UNREAD_BYTES_MAX,
  lingerMs: 1_000,
  drainMinMs: 1_000,
  drainDeadlineMs: 6_000,
};
