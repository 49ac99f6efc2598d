import { assignRequests } from './assign-requests.ts';
import type { LoadPlan } from './load-plan.ts';
import { openSocket } from './open-socket.ts';
import { type Answer, ResponseReader } from './response-reader.ts';
import type { RepeatedRequest } from './transfer-request.ts';

/** Keeps the server's accept queue from overflowing. */
const CONNECTING_MAX = 128;

export type ConnectionsPlan = Pick<
  LoadPlan,
  'port' | 'connections' | 'connectionsMax' | 'workload' | 'sequenceBefore'
>;

/** One connection with its own requests. It carries one request at a time. */
export type LoadConnection = {
  /** When the current request was, or should have been, sent. */
  sentAtMs: number;
  onAnswer: (answer: Answer) => void;
  send(sentAtMs: number): void;
};

export type LoadConnections = Readonly<{
  all: readonly LoadConnection[];
  /** Opens one more connection, unless there are enough or too many are being opened. */
  grow(onReady: (connection: LoadConnection) => void): void;
  /** Answers so far, by status. */
  statuses: ReadonlyMap<number, number>;
  /** Refusals so far without Retry-After. */
  withoutRetryAfter(): number;
  lastSequence(): number;
  /** Rejects if a connection breaks or an answer cannot be read. */
  broken: Promise<never>;
  close(): void;
}>;

/** Opens all connections and assigns the wallets to them, so that no two connections share the bytes of a request. */
export async function openLoadConnections(plan: ConnectionsPlan): Promise<LoadConnections> {
  const connectionsMax = plan.connectionsMax ?? plan.connections;
  const statuses = new Map<number, number>();
  const all: LoadConnection[] = [];
  const closing = new AbortController();
  const { promise: broken, reject } = Promise.withResolvers<never>();
  // Callers that race against it see the rejection; outside the race it must not be unhandled.
  broken.catch(() => undefined);
  let sequence = plan.sequenceBefore;
  const nextSequence = () => {
    sequence += 1;
    return sequence;
  };
  let withoutRetryAfter = 0;
  let opened = 0;
  let connecting = 0;

  function count({ status, retryAfterSeconds }: Answer): void {
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    if (status >= 300 && retryAfterSeconds === null) withoutRetryAfter += 1;
  }

  async function open(): Promise<LoadConnection> {
    const requests = assignRequests(plan, opened);
    opened += 1;
    connecting += 1;
    const reader = new ResponseReader((answer) => {
      count(answer);
      connection.onAnswer(answer);
    });
    const options = { port: plan.port, signal: closing.signal, onBroken: reject };
    const socket = await openSocket(options, (bytes) => reader.push(bytes));
    const connection = createConnection(requests, nextSequence, (bytes) => socket.write(bytes));
    connecting -= 1;
    all.push(connection);
    return connection;
  }

  while (opened < plan.connections) {
    const length = Math.min(CONNECTING_MAX, plan.connections - opened);
    await Promise.all(Array.from({ length }, open));
  }
  return {
    all,
    grow(onReady) {
      if (opened >= connectionsMax || connecting >= CONNECTING_MAX) return;
      open().then(onReady, reject);
    },
    statuses,
    withoutRetryAfter: () => withoutRetryAfter,
    lastSequence: () => sequence,
    broken,
    close: () => closing.abort(),
  };
}

function createConnection(
  requests: readonly RepeatedRequest[],
  nextSequence: () => number,
  write: (bytes: Buffer) => void,
): LoadConnection {
  let turn = 0;
  return {
    sentAtMs: 0,
    onAnswer: () => undefined,
    send(sentAtMs) {
      const request = requests[turn];
      if (request === undefined) throw new Error('a connection has nothing to send');
      turn = (turn + 1) % requests.length;
      this.sentAtMs = sentAtMs;
      write(request.next(nextSequence));
    },
  };
}
