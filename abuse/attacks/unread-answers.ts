import type { Attacker } from '../attacker/attacker.ts';
import { API, writeRequest } from '../attacker/write-request.ts';
import type { Attack } from './attack.ts';

/** Long enough for the service to send all its answers. */
const HOLD_MS = { short: 600, long: 8_000 } as const;
const TIME_MAX_MS = 12_000;

type Pipeline = Readonly<{ connections: number; requests: number }>;

/** Clients that send many requests on one connection and never read an answer. */
export const UNREAD_ANSWERS: readonly Attack[] = [
  {
    id: '2a',
    title: '50 connections ask 2,400 times for /docs and read nothing',
    timeMaxMs: TIME_MAX_MS,
    run: (attacker) =>
      holdUnread(attacker, writeRequest({ path: '/docs' }), {
        long: { connections: 50, requests: 2_400 },
        short: { connections: 20, requests: 600 },
      }),
  },
  {
    id: '2b',
    title: '300 connections ask 300 times for a list of 100 and read nothing',
    timeMaxMs: TIME_MAX_MS,
    run: (attacker) =>
      holdUnread(
        attacker,
        writeRequest({
          path: `${API}/transfers?limit=100`,
          apiKey: attacker.target.attackerKey,
        }),
        {
          long: { connections: 300, requests: 300 },
          short: { connections: 60, requests: 100 },
        },
      ),
  },
  {
    id: '2c',
    title: '1,000 connections ask 500 times for /openapi.json and read nothing',
    timeMaxMs: TIME_MAX_MS,
    run: (attacker) =>
      holdUnread(attacker, writeRequest({ path: '/openapi.json' }), {
        long: { connections: 1_000, requests: 500 },
        short: { connections: 150, requests: 100 },
      }),
  },
];

async function holdUnread(
  attacker: Attacker,
  request: Buffer,
  sizes: Readonly<{ long: Pipeline; short: Pipeline }>,
): Promise<void> {
  const { connections, requests } = sizes[attacker.form];
  const pipeline = Buffer.concat(Array.from({ length: requests }, () => request));
  await attacker.openMany(connections, { reads: false }, (socket) => {
    attacker.tally.sent += requests;
    socket.write(pipeline);
  });
  await attacker.pause(HOLD_MS[attacker.form]);
}
