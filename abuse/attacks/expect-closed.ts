import type { Socket } from 'node:net';
import type { Attacker } from '../attacker/attacker.ts';

const POLL_MS = 50;

/** Records a flaw unless the service closes all but this many connections within the time. */
export async function expectClosed(
  attacker: Attacker,
  sockets: readonly Socket[],
  expected: Readonly<{ openMax: number; withinMs: number; flaw: string }>,
): Promise<void> {
  const untilMs = performance.now() + expected.withinMs;
  const countOpen = () => sockets.filter((socket) => !socket.destroyed).length;
  while (countOpen() > expected.openMax) {
    if (performance.now() > untilMs || attacker.isOver) {
      attacker.tally.flaw(expected.flaw);
      return;
    }
    await attacker.pause(POLL_MS);
  }
}
