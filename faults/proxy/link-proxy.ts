import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { LinkWeather } from '../plan/plan.ts';
import { openAgain, openAnywhere, shut } from './door.ts';

const DELAY_MS = 150;
const SLOW_BYTES = 200;
const SLOW_PAUSE_MS = 10;

export type LinkProxy = Readonly<{
  port: number;
  /** Lets a weather come over all connections for so long. */
  suffer(weather: LinkWeather, forMs: number): Promise<void>;
  close(): Promise<void>;
}>;

type Sky = { weather: LinkWeather | 'clear' };
type Pair = Readonly<{ client: Socket; upstream: Socket; lost: { bytes: number } }>;

/**
 * Stands between the service and what it depends on. `targetPort` is asked for every connection, since
 * a restarted server has a new one; undefined: nobody is there, so the connection is cut.
 */
export async function startLinkProxy(
  deps: Readonly<{ targetPort: () => Promise<number | undefined> | number | undefined }>,
): Promise<LinkProxy> {
  const sky: Sky = { weather: 'clear' };
  const pairs = new Set<Pair>();
  const waiting = new Set<Socket>();
  const server = createServer((client) => {
    waiting.add(client);
    client.on('error', () => client.destroy());
    client.once('close', () => waiting.delete(client));
    void accept(client);
  });

  async function accept(client: Socket): Promise<void> {
    const port = sky.weather === 'cut' ? undefined : await deps.targetPort();
    if (port === undefined || client.destroyed) return void client.destroy();
    const upstream = connect({ port, host: '127.0.0.1', noDelay: true });
    const pair: Pair = { client, upstream, lost: { bytes: 0 } };
    pairs.add(pair);
    join(sky, pair);
    client.once('close', () => pairs.delete(pair));
  }

  function endConnections(): void {
    for (const pair of pairs) reset(pair);
    for (const socket of waiting) socket.destroy();
  }

  const port = await openAnywhere(server);
  return {
    port,
    async suffer(weather, forMs) {
      sky.weather = weather;
      // Two that meet shut one door, and whoever shut it opens it.
      const shuts = weather === 'refuse' && server.listening;
      if (shuts) await shut(server, endConnections);
      if (weather === 'cut') endConnections();
      await pause(forMs);
      sky.weather = 'clear';
      if (shuts) await openAgain(server, port);
      // What lost something on the way cannot go on as if nothing had been.
      for (const pair of pairs) if (pair.lost.bytes > 0) reset(pair);
    },
    async close() {
      if (server.listening) await shut(server, endConnections);
    },
  };
}

function join(sky: Sky, pair: Pair): void {
  const { client, upstream } = pair;
  const onBroken = (): void => reset(pair);
  upstream.on('error', onBroken);
  client.on('error', onBroken);
  client.on(
    'data',
    inOrder(async (chunk) => carry(sky, pair, { chunk, to: upstream })),
  );
  upstream.on(
    'data',
    inOrder(async (chunk) => carry(sky, pair, { chunk, to: client })),
  );
  client.once('end', () => upstream.end());
  upstream.once('end', () => client.end());
  client.once('close', () => upstream.destroy());
  upstream.once('close', () => client.destroySoon());
}

/** One chunk after the other, whatever each of them has to wait for. */
function inOrder(work: (chunk: Buffer) => Promise<void>): (chunk: Buffer) => void {
  let last = Promise.resolve();
  return (chunk) => {
    last = last.then(() => work(chunk));
  };
}

async function carry(
  sky: Sky,
  pair: Pair,
  { chunk, to }: Readonly<{ chunk: Buffer; to: Socket }>,
): Promise<void> {
  const isAnswer = to === pair.client;
  switch (sky.weather) {
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
      return trickle(sky, to, chunk);
    case 'cut':
    case 'refuse':
      return reset(pair);
    case 'clear':
      break;
    default: {
      const unhandled: never = sky.weather;
      throw new Error(`unhandled ${String(unhandled)}`);
    }
  }
  if (!to.destroyed) to.write(chunk);
}

async function trickle(sky: Sky, to: Socket, chunk: Buffer): Promise<void> {
  for (let sent = 0; sent < chunk.length && !to.destroyed; sent += SLOW_BYTES) {
    const rest = sky.weather === 'slow' ? sent + SLOW_BYTES : chunk.length;
    to.write(chunk.subarray(sent, rest));
    if (rest === chunk.length) return;
    await pause(SLOW_PAUSE_MS);
  }
}

function reset({ client, upstream }: Pair): void {
  for (const socket of [client, upstream]) {
    // Node.js loses sight of a socket that is reset while it is being ended, and never exits.
    if (socket.connecting || socket.destroyed || socket.writableEnded) socket.destroy();
    else socket.resetAndDestroy();
  }
}
