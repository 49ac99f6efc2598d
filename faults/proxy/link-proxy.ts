import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { LinkFault } from '../plan/plan.ts';
import { listenOnFreePort, listenOnPort, stopListening } from './listening-port.ts';

const DELAY_MS = 150;
const SLOW_BYTES = 200;
const SLOW_PAUSE_MS = 10;

export type LinkProxy = Readonly<{
  port: number;
  /** Applies a fault to all connections for `forMs`. */
  applyFault(condition: LinkFault, forMs: number): Promise<void>;
  close(): Promise<void>;
}>;

type LinkState = { condition: LinkFault | 'clear' };
type Pair = Readonly<{ client: Socket; upstream: Socket; lost: { bytes: number } }>;

/**
 * A proxy between the service and a server that it depends on. `targetPort` is called for every connection, because
 * a restarted server has a new port; undefined: no server runs, so the connection is closed.
 */
export async function startLinkProxy(
  deps: Readonly<{ targetPort: () => Promise<number | undefined> | number | undefined }>,
): Promise<LinkProxy> {
  const link: LinkState = { condition: 'clear' };
  const pairs = new Set<Pair>();
  const waiting = new Set<Socket>();
  const server = createServer((client) => {
    waiting.add(client);
    client.on('error', () => client.destroy());
    client.once('close', () => waiting.delete(client));
    void accept(client);
  });

  async function accept(client: Socket): Promise<void> {
    const port = link.condition === 'cut' ? undefined : await deps.targetPort();
    if (port === undefined || client.destroyed) return void client.destroy();
    const upstream = connect({ port, host: '127.0.0.1', noDelay: true });
    const pair: Pair = { client, upstream, lost: { bytes: 0 } };
    pairs.add(pair);
    join(link, pair);
    client.once('close', () => pairs.delete(pair));
  }

  function endConnections(): void {
    for (const pair of pairs) reset(pair);
    for (const socket of waiting) socket.destroy();
  }

  const port = await listenOnFreePort(server);
  return {
    port,
    async applyFault(condition, forMs) {
      link.condition = condition;
      // When two such faults overlap, only the first closes the listener, and it also reopens it.
      const shuts = condition === 'refuse' && server.listening;
      if (shuts) await stopListening(server, endConnections);
      if (condition === 'cut') endConnections();
      await pause(forMs);
      link.condition = 'clear';
      if (shuts) await listenOnPort(server, port);
      // A connection that lost bytes cannot continue, so it is reset.
      for (const pair of pairs) if (pair.lost.bytes > 0) reset(pair);
    },
    async close() {
      if (server.listening) await stopListening(server, endConnections);
    },
  };
}

function join(link: LinkState, pair: Pair): void {
  const { client, upstream } = pair;
  const onBroken = (): void => reset(pair);
  upstream.on('error', onBroken);
  client.on('error', onBroken);
  client.on(
    'data',
    inOrder(async (chunk) => carry(link, pair, { chunk, to: upstream })),
  );
  upstream.on(
    'data',
    inOrder(async (chunk) => carry(link, pair, { chunk, to: client })),
  );
  client.once('end', () => upstream.end());
  upstream.once('end', () => client.end());
  client.once('close', () => upstream.destroy());
  upstream.once('close', () => client.destroySoon());
}

/** Processes chunks one after another, however long each takes. */
function inOrder(work: (chunk: Buffer) => Promise<void>): (chunk: Buffer) => void {
  let last = Promise.resolve();
  return (chunk) => {
    last = last.then(() => work(chunk));
  };
}

async function carry(
  link: LinkState,
  pair: Pair,
  { chunk, to }: Readonly<{ chunk: Buffer; to: Socket }>,
): Promise<void> {
  const isAnswer = to === pair.client;
  switch (link.condition) {
    case 'half-open':
      pair.lost.bytes += chunk.length;
      return;
    case 'drop answers':
      if (isAnswer) return reset(pair);
      break;
    case 'cut answers':
      if (!isAnswer) break;
      to.write(chunk.subarray(0, chunk.length >> 1), () => reset(pair));
      return;
    case 'delay':
      await pause(DELAY_MS);
      break;
    case 'slow':
      return trickle(link, to, chunk);
    case 'cut':
    case 'refuse':
      return reset(pair);
    case 'clear':
      break;
    default: {
      const unhandled: never = link.condition;
      throw new Error(`unhandled ${String(unhandled)}`);
    }
  }
  if (!to.destroyed) to.write(chunk);
}

async function trickle(link: LinkState, to: Socket, chunk: Buffer): Promise<void> {
  for (let sent = 0; sent < chunk.length && !to.destroyed; sent += SLOW_BYTES) {
    const rest = link.condition === 'slow' ? sent + SLOW_BYTES : chunk.length;
    to.write(chunk.subarray(sent, rest));
    if (rest === chunk.length) return;
    await pause(SLOW_PAUSE_MS);
  }
}

function reset({ client, upstream }: Pair): void {
  for (const socket of [client, upstream]) {
    // Node.js loses the handle of a socket that is reset while it is being ended, and never exits.
    if (socket.connecting || socket.destroyed || socket.writableEnded) socket.destroy();
    else socket.resetAndDestroy();
  }
}
