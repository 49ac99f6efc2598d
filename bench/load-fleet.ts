import { connect, type Socket } from 'node:net';
import { ResponseReader } from './response-reader.ts';
import { type Target, TransferRequest } from './transfer-request.ts';

const READ_BUFFER_BYTES = 16 * 1024;

export type FleetPlan = Readonly<{
  port: number;
  connections: number;
  targets: readonly Target[];
  /** The number before that of the first reference, so that no reference is used twice. */
  sequenceBefore: number;
}>;

/** One connection with its own requests. It carries one request at a time. */
export class Carrier {
  /** When the request on its way was, or should have been, sent. */
  sentAtMs = 0;
  onAnswer: () => void = () => undefined;
  readonly #socket: Socket;
  readonly #requests: readonly TransferRequest[];
  readonly #nextSequence: () => number;
  #turn = 0;

  constructor(socket: Socket, requests: readonly TransferRequest[], nextSequence: () => number) {
    this.#socket = socket;
    this.#requests = requests;
    this.#nextSequence = nextSequence;
  }

  send(sentAtMs: number): void {
    const request = this.#requests[this.#turn];
    if (request === undefined) throw new Error('a connection has nothing to send');
    this.#turn = (this.#turn + 1) % this.#requests.length;
    this.sentAtMs = sentAtMs;
    this.#socket.write(request.number(this.#nextSequence()));
  }
}

export type Fleet = Readonly<{
  carriers: readonly Carrier[];
  /** Answers so far, by status. */
  statuses: ReadonlyMap<number, number>;
  /** Rejects when a connection breaks or an answer cannot be read. */
  broken: Promise<never>;
  close(): void;
}>;

/** Opens all connections. Wallets are dealt out to them, so that no two share the bytes of a request. */
export async function openFleet(plan: FleetPlan): Promise<Fleet> {
  const statuses = new Map<number, number>();
  const sockets: Socket[] = [];
  const carriers: Carrier[] = [];
  const { promise: broken, reject } = Promise.withResolvers<never>();
  // Whoever races against it hears of it; before and after the race nobody needs to.
  broken.catch(() => undefined);
  let sequence = plan.sequenceBefore;
  const nextSequence = () => {
    sequence += 1;
    return sequence;
  };
  let isClosing = false;
  for (let index = 0; index < plan.connections; index += 1) {
    const reader = new ResponseReader((status) => {
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      carriers[index]?.onAnswer();
    });
    const socket = await openSocket(plan.port, reader, reject);
    socket.on('close', () => {
      if (!isClosing) reject(new Error('the server closed a connection'));
    });
    sockets.push(socket);
    carriers.push(new Carrier(socket, dealRequests(plan, index), nextSequence));
  }
  return {
    carriers,
    statuses,
    broken,
    close() {
      isClosing = true;
      for (const socket of sockets) socket.destroy();
    },
  };
}

function openSocket(
  port: number,
  reader: ResponseReader,
  onBroken: (error: unknown) => void,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({
      host: '127.0.0.1',
      port,
      noDelay: true,
      // The same buffer for every read: nothing is allocated, and no stream comes between.
      onread: {
        buffer: Buffer.alloc(READ_BUFFER_BYTES),
        callback(length, buffer) {
          try {
            reader.push(Buffer.from(buffer.buffer, buffer.byteOffset, length));
          } catch (error) {
            onBroken(error);
          }
          return true;
        },
      },
    });
    socket.once('connect', () => resolve(socket));
    socket.on('error', (error) => {
      reject(error);
      onBroken(error);
    });
  });
}

function dealRequests({ targets, connections }: FleetPlan, index: number): TransferRequest[] {
  const dealt =
    targets.length < connections
      ? targets.slice(index % targets.length, (index % targets.length) + 1)
      : targets.filter((_, target) => target % connections === index);
  return dealt.map((target) => new TransferRequest(target));
}
