import type { Socket } from 'node:net';
import type { Attacker } from '../attacker/attacker.ts';
import { API, JSON_TYPE } from '../attacker/write-request.ts';
import type { Attack } from './attack.ts';
import { Refusals } from './refusals.ts';

const MIB = 1_024 * 1_024;
/** The most unsent bytes of one connection: a service that does not read must not fill our memory. */
const UNSENT_MAX_BYTES = 256 * 1_024;
/** It ends earlier, once enough is refused: this is how late a busy service may be. */
const TIME_MAX_MS = 60_000;

type Trickle = Readonly<{
  connections: number;
  /** The announced size of each body; the last byte is never sent. */
  bytes: number;
  steps: number;
  stepMs: number;
  /** How many the service may let finish. */
  openMax: number;
}>;

/** Bodies that arrive piece by piece and never end. */
export const SLOW_BODIES: readonly Attack[] = [
  {
    id: '3a',
    title: '400 slow bulk bodies of one key, each towards 4 MiB',
    timeMaxMs: TIME_MAX_MS,
    run: (attacker) =>
      trickle(
        attacker,
        {
          long: { connections: 400, bytes: 4 * MIB, steps: 32, stepMs: 250, openMax: 64 },
          short: { connections: 60, bytes: 4 * MIB, steps: 6, stepMs: 100, openMax: 30 },
        }[attacker.form],
        (bytes) =>
          `POST ${API}/transfers/mobile-money/bulk HTTP/1.1\r\nHost: 127.0.0.1\r\n` +
          `x-api-key: ${attacker.target.attackerKey}\r\n${JSON_TYPE}\r\n` +
          `content-length: ${bytes}\r\n\r\n`,
      ),
  },
  {
    id: '3b',
    title: '4,000 to 15,000 slow callback bodies of unauthenticated clients, each towards 64 KiB',
    timeMaxMs: TIME_MAX_MS,
    run: (attacker) =>
      trickle(
        attacker,
        {
          long: {
            connections: attacker.random.between(4_000, 15_000),
            bytes: 64_000,
            steps: 8,
            stepMs: 1_000,
            openMax: 100,
          },
          short: { connections: 600, bytes: 64_000, steps: 4, stepMs: 150, openMax: 50 },
        }[attacker.form],
        (bytes) =>
          `POST /callbacks/${attacker.target.callbackRoute}/${guessedToken(attacker)} HTTP/1.1\r\n` +
          `Host: 127.0.0.1\r\n${JSON_TYPE}\r\ncontent-length: ${bytes}\r\n\r\n`,
      ),
  },
];

function guessedToken({ random }: Attacker): string {
  return `guess-${random.between(10 ** 9, 10 ** 10)}-guess-guess`;
}

async function trickle(
  attacker: Attacker,
  size: Trickle,
  writeHead: (bytes: number) => string,
): Promise<void> {
  const piece = Buffer.alloc(Math.floor((size.bytes - 1) / size.steps), ' ');
  const piecesLeft = new Map<Socket, number>();
  const refusals = new Refusals();
  await attacker.openMany(size.connections, { reads: true }, (socket) => {
    attacker.tally.sent += 1;
    piecesLeft.set(socket, size.steps);
    refusals.watch(socket, (status) => attacker.tally.answered(status));
    socket.once('close', () => void piecesLeft.delete(socket));
    socket.write(writeHead(size.bytes));
  });
  const areRefused = () => refusals.count >= size.connections - size.openMax;
  while ((piecesLeft.size > 0 || !areRefused()) && !attacker.isOver) {
    const dueMs = performance.now() + size.stepMs;
    for (const [socket, left] of piecesLeft) {
      if (socket.writableLength >= UNSENT_MAX_BYTES) continue;
      socket.write(piece);
      if (left > 1) piecesLeft.set(socket, left - 1);
      else piecesLeft.delete(socket);
    }
    await attacker.pause(dueMs - performance.now());
  }
  if (areRefused()) return;
  attacker.tally.flaw(
    `more than ${size.openMax} of ${size.connections} slow bodies are not refused`,
  );
}
