import { once } from 'node:events';
import type { Socket } from 'node:net';
import { AnswerReader } from './answer-reader.ts';
import type { Attacker } from './attacker.ts';

const MS_PER_SECOND = 1_000;
/** A connection whose batch is not answered by then is closed. */
const BATCH_TIMEOUT_MS = 5_000;

export type FloodOptions = Readonly<{
  connections: number;
  /** The maximum of requests, over all connections. */
  requests: number;
  /** Undefined: as fast as possible. */
  perSecond?: number;
  /** Requests that are sent together before their answers are awaited. */
  batch: number;
  make: (index: number) => Buffer;
}>;

/** Sends requests in batches on several connections, and counts the answers. */
export async function flood(attacker: Attacker, options: FloodOptions): Promise<void> {
  const startedMs = performance.now();
  let taken = 0;
  const takeBatch = async (): Promise<readonly Buffer[]> => {
    const first = taken;
    taken = Math.min(options.requests, taken + options.batch);
    if (options.perSecond !== undefined) {
      const dueMs = startedMs + (first / options.perSecond) * MS_PER_SECOND;
      await attacker.pause(dueMs - performance.now());
    }
    if (attacker.isOver) return [];
    return Array.from({ length: taken - first }, (_, offset) => options.make(first + offset));
  };
  const work = async (): Promise<void> => {
    let connection = open(attacker);
    for (let batch = await takeBatch(); batch.length > 0; batch = await takeBatch()) {
      if (connection.socket.destroyed) connection = open(attacker);
      attacker.tally.sent += batch.length;
      const isAnswered = await connection.exchange(batch);
      if (!isAnswered) attacker.close(connection.socket);
    }
    attacker.close(connection.socket);
  };
  await Promise.all(Array.from({ length: options.connections }, work));
}

function open(attacker: Attacker) {
  const socket = attacker.open({ reads: true });
  const reader = new AnswerReader();
  let awaited = 0;
  socket.on('data', (chunk) => {
    for (const { status } of reader.push(chunk)) {
      attacker.tally.answered(status);
      awaited -= 1;
    }
    if (awaited <= 0) socket.emit('answered');
  });
  return {
    socket,
    async exchange(batch: readonly Buffer[]): Promise<boolean> {
      awaited = batch.length;
      socket.write(Buffer.concat(batch));
      return wasAnswered(socket);
    },
  };
}

async function wasAnswered(socket: Socket): Promise<boolean> {
  const done = new AbortController();
  const options = { signal: done.signal };
  const timer = setTimeout(() => done.abort(), BATCH_TIMEOUT_MS);
  try {
    return await Promise.race([
      once(socket, 'answered', options).then(() => true),
      once(socket, 'close', options).then(() => false),
    ]);
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
    done.abort();
  }
}
