import { CONNECTION_COUNTS, type ConnectionCounts } from './connection-limits.ts';
import { DOWNLOAD_LIMITS, type DownloadLimits } from './open-downloads.ts';
import { STREAM_LIMITS, type StreamLimits } from './open-streams.ts';
import { QUEUE_LIMITS, type QueueLimits } from './request-queue.ts';
import { UNREAD_BYTES_MAX } from './unread-answers.ts';

/** Bodies are small: a transfer is under 1 KiB. */
export const BODY_BYTES_MAX = 16 * 1024;
/** All headers of a request together. */
export const HEADER_BYTES_MAX = 16 * 1024;
export const HEADERS_MAX = 100;
/** A reference of 100 characters, each percent-encoded, and a margin. */
export const PATH_PARAMETER_LENGTH_MAX = 400;
/** Retry-After of a refusal that does not set its own. */
export const RETRY_AFTER_SECONDS = 1;

/** Times and sizes that a deployment may change and tests shorten. */
export type ServerLimits = Readonly<{
  /** All headers must arrive within this time; it ends slow-loris attacks. */
  headersTimeoutMs: number;
  /** The whole request, body included, must arrive within this time. */
  requestTimeoutMs: number;
  /** The same for a request that brings a file. */
  uploadTimeoutMs: number;
  /** How often connections are checked against the two times above. */
  checkIntervalMs: number;
  /** How long a connection may stay open between two requests. */
  keepAliveTimeoutMs: number;
  /**
   * A connection without progress for this long is closed: its client does not send its request, or does not read its
   * answer. Not while the service works on the request: each operation has bounds of its own.
   */
  inactivityTimeoutMs: number;
  connectionsMax: number;
  counts: ConnectionCounts;
  /** Connections in the kernel's accept queue. With a short queue, clients of a busy server retry for seconds. */
  backlog: number;
  queue: QueueLimits;
  streams: StreamLimits;
  downloads: DownloadLimits;
  unreadBytesMax: number;
  /**
   * How long to read and drop input after an answer that ends the connection. Closing at once would make the client's
   * system discard our answer together with the connection.
   */
  lingerMs: number;
  /** A stopping server answers new clients for this long, so that load balancers notice that it stops. */
  drainMinMs: number;
  /** A stopping server ends after this time in any case. */
  drainDeadlineMs: number;
}>;

export const SERVER_LIMITS: ServerLimits = {
  headersTimeoutMs: 5_000,
  requestTimeoutMs: 10_000,
  uploadTimeoutMs: 310_000,
  checkIntervalMs: 500,
  keepAliveTimeoutMs: 10_000,
  inactivityTimeoutMs: 30_000,
  connectionsMax: 10_000,
  counts: CONNECTION_COUNTS,
  backlog: 4_096,
  queue: QUEUE_LIMITS,
  streams: STREAM_LIMITS,
  downloads: DOWNLOAD_LIMITS,
  unreadBytesMax: UNREAD_BYTES_MAX,
  lingerMs: 1_000,
  drainMinMs: 1_000,
  drainDeadlineMs: 6_000,
};
