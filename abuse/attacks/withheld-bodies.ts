import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { Attacker } from '../attacker/attacker.ts';
import { JSON_TYPE } from '../attacker/write-request.ts';
import type { Attack } from './attack.ts';

const CONNECTIONS = 20;
/** Longer than the service waits for a body that does not arrive. */
const ANSWER_WAIT_MS = 12_000;
const TIME_MAX_MS = 20_000;
const REQUEST_TIMEOUT = 408;

/** Callbacks whose head is sent and whose body is held back. */
export const WITHHELD_BODIES: readonly Attack[] = [
  {
    id: '4d',
    title: 'callbacks with wrong tokens whose bodies are never sent',
    timeMaxMs: TIME_MAX_MS,
    run: (attacker) =>
      onEach(attacker, async (socket) => {
        socket.write(writeHead(attacker, 'token-of-another-route-000', 'content-length: 60000'));
        const status = await readStatus(socket);
        if (status !== undefined) attacker.tally.answered(status);
        if (status === undefined || status === REQUEST_TIMEOUT) {
          attacker.tally.flaw(
            'an unauthenticated call is answered only after its body has arrived',
          );
        }
      }),
  },
  {
    id: '4e',
    title: 'callbacks that wait for 100 Continue',
    timeMaxMs: TIME_MAX_MS,
    run: (attacker) =>
      onEach(attacker, async (socket) => {
        const headers = ['content-length: 2', 'expect: 100-continue'];
        socket.write(writeHead(attacker, attacker.target.callbackToken, ...headers));
        const first = await readStatus(socket);
        if (first === 100) socket.write('{}');
        else attacker.tally.flaw('a callback that waits for 100 Continue does not get it');
        const status = first === 100 ? await readStatus(socket) : first;
        if (status !== undefined) attacker.tally.answered(status);
      }),
  },
];

async function onEach(attacker: Attacker, work: (socket: Socket) => Promise<void>): Promise<void> {
  const connections = Array.from({ length: CONNECTIONS }, async () => {
    const socket = attacker.open({ reads: true });
    attacker.tally.sent += 1;
    await work(socket);
    attacker.close(socket);
  });
  await Promise.all(connections);
}

function writeHead({ target }: Attacker, token: string, ...headers: readonly string[]): string {
  const lines = [
    `POST /callbacks/${target.callbackRoute}/${token} HTTP/1.1`,
    'Host: 127.0.0.1',
    JSON_TYPE,
    ...headers,
  ];
  return `${lines.join('\r\n')}\r\n\r\n`;
}

/** The status of the next answer; undefined: none arrives. */
async function readStatus(socket: Socket): Promise<number | undefined> {
  const over = AbortSignal.timeout(ANSWER_WAIT_MS);
  const [chunk] = await Promise.race([
    once(socket, 'data', { signal: over }),
    once(socket, 'close', { signal: over }).then(() => []),
  ]).catch(() => []);
  const status = /^HTTP\/1\.1 (\d{3})/.exec(String(chunk))?.[1];
  return status === undefined ? undefined : Number(status);
}
