import { createPublicKey, type KeyObject } from 'node:crypto';
import { at, textAt } from '../wire/exact-json.ts';
import { type CallDeps, callAirtel } from './airtel-call.ts';
import { type Fetched, type KeptFresh, keepFresh } from './keep-fresh.ts';
import { describe, isOk, readForm } from './read-answer.ts';

const KEYS_PATH = '/v1/rsa/encryption-keys';
const MODULUS_BITS_MIN = 2_048;
/** `valid_upto` names no time zone, so the earliest one on Earth is assumed. */
const ZONE_EARLIEST_MS = 14 * 3_600_000;
/** A key that is replaced before its time is noticed within a day. */
const FRESH_MAX_MS = 24 * 3_600_000;
/** For a key that does not say how long it holds, or says that it does no longer. */
const FRESH_UNTOLD_MS = 600_000;

export type KeySource = KeptFresh<KeyObject>;

/** A key that the settings name holds until they are changed. */
export function createGivenKey(publicKey: KeyObject): KeySource {
  return { get: async () => ({ kind: 'ready', value: publicKey }), forget: () => undefined };
}

/** The key that Airtel gives for the country, fetched again before it runs out. */
export function createFetchedKey(
  deps: CallDeps & Readonly<{ timeoutMs: number; now: () => Date }>,
): KeySource {
  return keepFresh({ nowMs: deps.monotonicMs, fetch: () => fetchKey(deps) });
}

/** SPKI in base64 as Airtel gives it, or the same in PEM; undefined: no RSA key of enough bits. */
export function readPublicKey(text: string): KeyObject | undefined {
  try {
    const key = text.includes('-----BEGIN')
      ? createPublicKey(text)
      : createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' });
    const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
    return key.asymmetricKeyType === 'rsa' && bits >= MODULUS_BITS_MIN ? key : undefined;
  } catch {
    return undefined;
  }
}

async function fetchKey(
  deps: CallDeps & Readonly<{ timeoutMs: number; now: () => Date }>,
): Promise<Fetched<KeyObject>> {
  const { timeoutMs } = deps;
  const called = await callAirtel(deps, { path: KEYS_PATH, body: null, timeoutMs });
  if (called.kind === 'unprepared') return { kind: 'failed', cause: called.cause };
  const { answer } = called;
  const meaning = answer.kind === 'answered' ? readForm(answer)?.entry.meaning : undefined;
  const isGiven = meaning?.kind === 'answered' && meaning.question === 'key';
  if (answer.kind !== 'answered' || !isOk(answer.status) || !isGiven) {
    return { kind: 'failed', cause: `no public key: ${describe(answer)}` };
  }
  const given = at(answer.json, 'data');
  const value = readPublicKey(textAt(given, 'key') ?? '');
  if (value === undefined) return { kind: 'failed', cause: 'no public key: an unreadable one' };
  return { kind: 'fetched', value, ...ages(textAt(given, 'valid_upto'), deps.now()) };
}

function ages(
  validUpTo: string | undefined,
  now: Date,
): Readonly<{ freshForMs: number; usableForMs: number }> {
  const written = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}:\d{2})/.exec(validUpTo ?? '');
  const endsAtMs = written === null ? Number.NaN : Date.parse(`${written[1]}T${written[2]}Z`);
  const leftMs = endsAtMs - ZONE_EARLIEST_MS - now.getTime();
  // Also for a date that there is not: a comparison with NaN is false.
  if (!(leftMs > FRESH_UNTOLD_MS)) {
    return { freshForMs: FRESH_UNTOLD_MS, usableForMs: FRESH_UNTOLD_MS };
  }
  return { freshForMs: Math.min(leftMs, FRESH_MAX_MS), usableForMs: leftMs };
}
