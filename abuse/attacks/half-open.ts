import type { Attacker } from '../attacker/attacker.ts';
import { ATTACKER_ADDRESSES } from '../loopback-addresses.ts';
import type { Attack } from './attack.ts';
import { Refusals } from './refusals.ts';

type Size = Readonly<{ connections: number; openMax: number }>;

const OF_ADDRESS = {
  short: { connections: 1_200, openMax: 1_000 },
  long: { connections: 10_500, openMax: Number.POSITIVE_INFINITY },
} as const;
const OF_ALL = {
  short: { connections: 3_000, openMax: 2_000 },
  long: { connections: 10_500, openMax: Number.POSITIVE_INFINITY },
} as const;
/** The service may close each connection after 5 seconds; meanwhile it must have room for others. */
const HOLD_MS = { short: 600, long: 8_000 } as const;
const DRIP_MS = { short: 200, long: 1_000 } as const;
/** It ends earlier, once enough is refused: this is how late a busy service may be. */
const TIME_MAX_MS = 60_000;
const POLL_MS = 50;

/** Requests whose headers never end. */
export const HALF_OPEN: readonly Attack[] = [
  {
    id: '6a',
    title: '10,500 half-open requests from one address',
    timeMaxMs: TIME_MAX_MS,
    run: (attacker) =>
      holdOpen(attacker, attacker.addresses.slice(0, 1), OF_ADDRESS[attacker.form]),
  },
  {
    id: '6b',
    title: '10,500 half-open requests from five addresses',
    timeMaxMs: TIME_MAX_MS,
    run: (attacker) => holdOpen(attacker, ATTACKER_ADDRESSES, OF_ALL[attacker.form]),
  },
];

async function holdOpen(
  attacker: Attacker,
  addresses: readonly string[],
  { connections, openMax }: Size,
): Promise<void> {
  const refusals = new Refusals();
  const opened = await Promise.all(
    addresses.map((from) =>
      attacker.openMany(connections / addresses.length, { reads: true, from }, (socket) => {
        attacker.tally.sent += 1;
        refusals.watch(socket);
        socket.write('GET /health/live HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: a');
      }),
    ),
  );
  const sockets = opened.flat();
  const untilMs = performance.now() + HOLD_MS[attacker.form];
  while (performance.now() < untilMs && !attacker.isOver) {
    await attacker.pause(DRIP_MS[attacker.form]);
    for (const socket of sockets) if (socket.writable && !socket.connecting) socket.write('a');
  }
  while (refusals.count < connections - openMax) {
    if (attacker.isOver) {
      attacker.tally.flaw(`more than ${openMax} connections without a key stay open`);
      return;
    }
    await attacker.pause(POLL_MS);
  }
}
