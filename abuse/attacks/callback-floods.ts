import { randomBytes } from 'node:crypto';
import type { Attacker } from '../attacker/attacker.ts';
import { type FloodOptions, flood } from '../attacker/flood.ts';
import { JSON_TYPE, writeRequest } from '../attacker/write-request.ts';
import type { Attack } from './attack.ts';
import { expectRefusals } from './expect-refusals.ts';

const MIB = 1_024 * 1_024;
/** Just below the limit of a callback. */
const CALLBACK_BYTES = 65_000;
const CALLBACKS = { short: 75, long: 915 } as const;
const CALLBACKS_PER_SECOND = 152;
const GUESSES = { short: 750, long: 9_000 } as const;
const GUESSES_PER_SECOND = 1_500;
const DISGUISED_GUESSES = 500;
/** The rate of 404 answers for one address before it gets 429. */
const WRONG_TOKENS = { status: 404, burst: 30, perSecond: 1 } as const;
const CONNECTIONS = 16;
const TIME_MAX_MS = 10_000;

/** Callbacks as operators send them, and with guessed tokens. */
export const CALLBACK_FLOODS: readonly Attack[] = [
  {
    id: '4a',
    title: '915 callbacks of 65 KB in 6 seconds, with the right token',
    timeMaxMs: TIME_MAX_MS,
    limits: { databaseGrowthMaxBytes: 24 * MIB },
    run: (attacker) =>
      flood(attacker, {
        connections: CONNECTIONS,
        requests: CALLBACKS[attacker.form],
        perSecond: CALLBACKS_PER_SECOND,
        batch: 1,
        make: () => writeCallback(attacker, attacker.target.callbackToken, writeNoise(attacker)),
      }),
  },
  {
    id: '4b',
    title: 'callbacks with wrong tokens, 1,500 a second',
    timeMaxMs: TIME_MAX_MS,
    run: (attacker) =>
      guessTokens(attacker, {
        requests: GUESSES[attacker.form],
        perSecond: GUESSES_PER_SECOND,
        batch: 4,
        make: (index) => writeCallback(attacker, `wrong-token-number-${index}`, '{}'),
      }),
  },
  {
    id: '4c',
    title: 'callbacks with wrong tokens, each with another X-Forwarded-For',
    timeMaxMs: TIME_MAX_MS,
    run: (attacker) =>
      guessTokens(attacker, {
        requests: DISGUISED_GUESSES,
        batch: 1,
        make: (index) =>
          writeCallback(attacker, `wrong-token-number-${index}`, '{}', [
            `x-forwarded-for: 10.${attacker.random.between(0, 255)}.${index >> 8}.${index & 0xff}`,
          ]),
      }),
  },
];

async function guessTokens(
  attacker: Attacker,
  options: Omit<FloodOptions, 'connections'>,
): Promise<void> {
  const startedMs = performance.now();
  await flood(attacker, { connections: CONNECTIONS, ...options });
  expectRefusals(attacker, { ...WRONG_TOKENS, elapsedMs: performance.now() - startedMs });
}

function writeCallback(
  { target }: Attacker,
  token: string,
  body: string,
  headers: readonly string[] = [],
): Buffer {
  return writeRequest({
    method: 'POST',
    path: `/callbacks/${target.callbackRoute}/${token}`,
    headers: [JSON_TYPE, ...headers],
    body,
  });
}

/** JSON that cannot be compressed, as an attacker would send to fill the disk. */
function writeNoise(attacker: Attacker): string {
  const text = randomBytes(Math.ceil((CALLBACK_BYTES * 3) / 4)).toString('base64');
  const filling = text.slice(0, CALLBACK_BYTES - 100);
  return JSON.stringify({ externalId: attacker.random.between(1, 10 ** 9), filling });
}
