import type { Attack } from './attack.ts';

const CONNECTIONS = { short: 1_200, long: 10_500 } as const;
/** The service may close each after 5 seconds; it must have room for others meanwhile. */
const HOLD_MS = { short: 600, long: 8_000 } as const;
const DRIP_MS = { short: 200, long: 1_000 } as const;

/** Requests whose headers never end. */
export const HALF_OPEN: readonly Attack[] = [
  {
    id: '6',
    title: '10,500 half-open requests from one address',
    timeMaxMs: 15_000,
    async run(attacker) {
      const [from = ''] = attacker.addresses;
      const options = { reads: true, from };
      const sockets = await attacker.openMany(CONNECTIONS[attacker.form], options, (socket) => {
        attacker.tally.sent += 1;
        socket.resume();
        socket.write('GET /health/live HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: a');
      });
      const untilMs = performance.now() + HOLD_MS[attacker.form];
      while (performance.now() < untilMs && !attacker.isOver) {
        await attacker.pause(DRIP_MS[attacker.form]);
        for (const socket of sockets) if (socket.writable && !socket.connecting) socket.write('a');
      }
    },
  },
];
