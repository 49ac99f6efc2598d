import type { Socket } from 'node:net';
import type { ConnectionFault, Preamble } from './connection-fault.ts';

const PER_MILLE = 1_000;

export type Link = Readonly<{
  client: Socket;
  upstream: Socket;
  /** The bytes that arrived together with the preamble. */
  rest: Buffer;
  preamble: Preamble;
}>;

/** Connects two sockets and applies the connection's fault. */
export function link({ client, upstream, rest, preamble }: Link): void {
  const { fate } = preamble;
  const cut = (): void => part(client, upstream, 'reset' in fate && fate.reset);
  upstream.on('error', cut);
  client.on('error', cut);
  client.once('close', () => upstream.destroy());

  const toServer = limited(upstream, { bytesMax: requestBytesMax(preamble), atEnd: cut });
  const toClient = limited(client, { bytesMax: answerBytesMax(fate), atEnd: cut });
  const requestDelayMs = fate.kind === 'delay request' ? fate.delayMs : 0;
  const answerDelayMs = fate.kind === 'delay answer' ? fate.delayMs : 0;
  client.on('data', (chunk: Buffer) => later(requestDelayMs, () => toServer(chunk)));
  upstream.on('data', (chunk: Buffer) => later(answerDelayMs, () => toClient(chunk)));
  client.once('end', () => later(requestDelayMs, () => upstream.end()));
  upstream.once('close', () => later(answerDelayMs, () => client.end()));
  later(requestDelayMs, () => toServer(rest));
  client.resume();
}

function requestBytesMax({ fate, requestBytes }: Preamble): number {
  if (fate.kind === 'cut after request') return requestBytes;
  if (fate.kind !== 'cut request') return Number.POSITIVE_INFINITY;
  return Math.floor((requestBytes * fate.perMille) / PER_MILLE);
}

function answerBytesMax(fate: ConnectionFault): number {
  if (fate.kind === 'drop answer') return 0;
  return fate.kind === 'cut answer' ? fate.afterBytes : Number.POSITIVE_INFINITY;
}

/** Passes on a number of bytes, then cuts both connections after those bytes were sent. */
function limited(
  to: Socket,
  limit: Readonly<{ bytesMax: number; atEnd: () => void }>,
): (chunk: Buffer) => void {
  let passed = 0;
  return (chunk) => {
    const part = chunk.subarray(0, Math.max(0, limit.bytesMax - passed));
    passed += chunk.length;
    const reached = passed >= limit.bytesMax;
    if (to.destroyed) return;
    if (part.length > 0) to.write(part, () => (reached ? limit.atEnd() : undefined));
    else if (reached) limit.atEnd();
  };
}

/** Equal delays keep the order of the chunks. */
function later(delayMs: number, act: () => void): void {
  if (delayMs === 0) act();
  else setTimeout(act, delayMs);
}

function part(client: Socket, upstream: Socket, reset: boolean): void {
  client.destroy();
  // Node.js loses the handle of a socket that is reset while it is being ended, and never exits.
  const mayReset = !upstream.connecting && !upstream.destroyed && !upstream.writableEnded;
  if (reset && mayReset) upstream.resetAndDestroy();
  else upstream.destroy();
}
