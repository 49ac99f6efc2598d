import { once } from 'node:events';
import { AnswerReader } from '../attacker/answer-reader.ts';
import type { Attacker } from '../attacker/attacker.ts';
import { API, JSON_TYPE, writeRequest } from '../attacker/write-request.ts';
import type { Attack } from './attack.ts';

const MIB = 1_024 * 1_024;
/** The largest body of a bulk call. */
const BULK_BYTES = 4 * MIB;
const PATH = `${API}/transfers/mobile-money/bulk`;
const ANSWER_TIMEOUT_MS = 10_000;
const TIME_MAX_MS = 20_000;
/** Keys are counters in this radix, so that they are short and all different. */
const KEY_RADIX = 36;

type Bodies = Readonly<{ atOnce: number; bytes: number; make: (bytes: number) => string }>;

function attackOf(id: string, title: string, long: Bodies, short: Partial<Bodies>): Attack {
  return {
    id,
    title,
    timeMaxMs: TIME_MAX_MS,
    run: (attacker) =>
      sendBodies(attacker, attacker.form === 'long' ? long : { ...long, ...short }),
  };
}

/** Bodies of the bulk call that are small on the wire and large in memory. */
export const BULK_BODIES: readonly Attack[] = [
  attackOf(
    '1a',
    'bulk call of 1.4 million empty objects in 4 MiB',
    { atOnce: 1, bytes: BULK_BYTES, make: (bytes) => listOf('{}', bytes) },
    {},
  ),
  attackOf(
    '1b',
    '4 bulk calls of 1 MiB of empty objects at once',
    { atOnce: 4, bytes: MIB, make: (bytes) => listOf('{}', bytes) },
    { atOnce: 2 },
  ),
  attackOf(
    '1c',
    '3 bulk calls of 4 MiB of zeros at once',
    { atOnce: 3, bytes: BULK_BYTES, make: (bytes) => listOf('0', bytes) },
    { atOnce: 1 },
  ),
  attackOf(
    '1d',
    '3 bulk calls of 4 MiB of nested lists at once',
    { atOnce: 3, bytes: BULK_BYTES, make: nest },
    { atOnce: 1 },
  ),
  attackOf(
    '1e',
    '3 bulk calls of 4 MiB of different keys at once',
    { atOnce: 3, bytes: BULK_BYTES, make: manyKeys },
    { atOnce: 1 },
  ),
  attackOf(
    '1f',
    '3 bulk calls of one 4 MiB string at once',
    { atOnce: 3, bytes: BULK_BYTES, make: escapedText },
    { atOnce: 1 },
  ),
];

async function sendBodies(attacker: Attacker, { atOnce, bytes, make }: Bodies): Promise<void> {
  const request = writeRequest({
    method: 'POST',
    path: PATH,
    apiKey: attacker.target.attackerKey,
    headers: [JSON_TYPE, 'connection: close'],
    body: make(bytes),
  });
  await Promise.all(Array.from({ length: atOnce }, () => sendOne(attacker, request)));
}

async function sendOne(attacker: Attacker, request: Buffer): Promise<void> {
  const socket = attacker.open({ reads: true });
  const reader = new AnswerReader();
  socket.on('data', (chunk) => {
    for (const { status } of reader.push(chunk)) attacker.tally.answered(status);
  });
  attacker.tally.sent += 1;
  socket.write(request);
  const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
  await once(socket, 'close', { signal }).catch(() => attacker.close(socket));
}

function listOf(item: string, bytes: number): string {
  const [start, end] = ['{"transfers":[', ']}'];
  const count = Math.floor((bytes - start.length - end.length) / (item.length + 1));
  return `${start}${`${item},`.repeat(count - 1)}${item}${end}`;
}

function nest(bytes: number): string {
  const depth = Math.floor(bytes / 2) - 10;
  return `{"transfers":${'['.repeat(depth)}${']'.repeat(depth)}}`;
}

function manyKeys(bytes: number): string {
  const parts: string[] = [];
  let length = 2;
  for (let index = 0; ; index += 1) {
    const part = `"${index.toString(KEY_RADIX)}":0`;
    length += part.length + 1;
    if (length > bytes) return `{${parts.join(',')}}`;
    parts.push(part);
  }
}

/** Six bytes for each character, so that the reader cannot use a slice of the text. */
function escapedText(bytes: number): string {
  return `{"transfers":["${'\\u0041'.repeat(Math.floor((bytes - 20) / 6))}"]}`;
}
