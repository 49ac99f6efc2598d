import { crc32 } from 'node:zlib';
import type { Random } from '../../faults/plan/random.ts';
import type { Attacker } from '../attacker/attacker.ts';
import { flood } from '../attacker/flood.ts';
import { API, writeRequest } from '../attacker/write-request.ts';
import { MANY_ADDRESSES } from '../loopback-addresses.ts';
import type { Attack } from './attack.ts';
import { expectRefusals } from './expect-refusals.ts';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_LENGTH = 27;
const CHECKSUM_LENGTH = 6;
const DURATION_MS = 8_000;
/** The rate of 401 answers for one address before it gets 429. */
const UNAUTHORIZED = { status: 401, burst: 300, perSecond: 10 } as const;
const LIMITS = { transactionsPerSecondMax: 500 } as const;
const REQUESTS = { short: 1_000, long: 200_000 } as const;

/** Well-formed keys that do not exist: each could cost a database query. */
export const UNKNOWN_KEYS: readonly Attack[] = [
  {
    id: '5a',
    title: 'keys with a right checksum that do not exist, for 8 seconds',
    timeMaxMs: DURATION_MS,
    limits: LIMITS,
    run: (attacker) => guessKeys(attacker, 32),
  },
  {
    id: '5b',
    title: 'the same from 250 addresses',
    timeMaxMs: DURATION_MS,
    limits: LIMITS,
    addresses: MANY_ADDRESSES,
    run: (attacker) => guessKeys(attacker, MANY_ADDRESSES.length),
  },
];

async function guessKeys(attacker: Attacker, connections: number): Promise<void> {
  const startedMs = performance.now();
  await flood(attacker, {
    connections,
    requests: REQUESTS[attacker.form],
    batch: 8,
    make: () => writeRequest({ path: `${API}/wallets`, apiKey: writeUnknownKey(attacker.random) }),
  });
  expectRefusals(attacker, { ...UNAUTHORIZED, elapsedMs: performance.now() - startedMs });
}

/** Prefix, 27 random characters of base62, and the CRC32 of both in base62. */
export function writeUnknownKey(random: Random): string {
  const letters = Array.from({ length: SECRET_LENGTH }, () => BASE62[random.between(0, 61)]);
  const body = `sk_test_${letters.join('')}`;
  let rest = crc32(body);
  let checksum = '';
  for (let index = 0; index < CHECKSUM_LENGTH; index += 1) {
    checksum = `${BASE62[rest % BASE62.length]}${checksum}`;
    rest = Math.floor(rest / BASE62.length);
  }
  return body + checksum;
}
