import { createPublicKey, type KeyObject } from 'node:crypto';
import { createCredentialCache, type FetchedCredential } from '../credentials/credential-cache.ts';
import { NOTHING_KEPT } from '../credentials/credential-store.ts';
import { at, textAt } from '../wire/exact-json.ts';
import { describe, isOk, readForm } from './answers.ts';
import { type CallDeps, callAirtel } from './call.ts';

const KEYS_PATH = '/v1/rsa/encryption-keys';
const MODULUS_BITS_MIN = 2_048;
/** `valid_upto` has no time zone, so the earliest one on Earth is assumed. */
const ZONE_EARLIEST_MS = 14 * 3_600_000;
/** A key that is replaced before its expiry is noticed within a day. */
const FRESH_MAX_MS = 24 * 3_600_000;
/** For a key without an expiry, or with a past one. */
const FRESH_UNTOLD_MS = 600_000;

type KeyAnswer =
  | Readonly<{ kind: 'ready'; value: KeyObject }>
  | Readonly<{ kind: 'failed'; cause: string }>;

export type KeySource = Readonly<{
  get(): Promise<KeyAnswer>;
  /** Airtel could not decrypt what was encrypted with this key. A key that has replaced it stays. */
  forget(key: KeyObject): void;
}>;

/** A key from the settings is valid until they are changed. */
export function createGivenKey(publicKey: KeyObject): KeySource {
  return { get: async () => ({ kind: 'ready', value: publicKey }), forget: () => undefined };
}

export type FetchedKeyDeps = CallDeps &
  Readonly<{ timeoutMs: number; now: () => Date; newUuid: () => string }>;

/**
 * The key that Airtel publishes for the country, fetched again before it expires. It is no secret and is not stored.
 */
export function createFetchedKey(deps: FetchedKeyDeps): KeySource {
  const texts = createCredentialCache({
    fetch: () => fetchKey(deps),
    keeper: NOTHING_KEPT,
    obtainedWith: [],
    activationMs: 0,
    activationGraceMs: 0,
    overlap: true,
    monotonicMs: deps.monotonicMs,
    newUuid: deps.newUuid,
  });
  let last: Readonly<{ text: string; key: KeyObject }> | undefined;
  return {
    async get() {
      const taken = await texts.take();
      if (taken.kind !== 'ready') return { kind: 'failed', cause: taken.cause };
      const text = taken.value;
      const key = last?.text === text ? last.key : readPublicKey(text);
      if (key === undefined) return UNREADABLE;
      last = { text, key };
      return { kind: 'ready', value: key };
    },
    forget(key) {
      if (last?.key === key) texts.refused(last.text);
    },
  };
}

const UNREADABLE = { kind: 'failed', cause: 'no public key: an unreadable one' } as const;

/** SPKI in base64 as Airtel gives it, or in PEM. Undefined if it is not an RSA key of enough bits. */
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

async function fetchKey(deps: FetchedKeyDeps): Promise<FetchedCredential> {
  const { timeoutMs } = deps;
  const called = await callAirtel(deps, { path: KEYS_PATH, body: null, timeoutMs });
  if (called.kind === 'unprepared') return { kind: 'failed', cause: called.cause };
  const { answer } = called;
  const meaning = answer.kind === 'answered' ? readForm(answer)?.entry.meaning : undefined;
  const isGiven = meaning?.kind === 'answered' && meaning.lookup === 'key';
  if (answer.kind !== 'answered' || !isOk(answer.status) || !isGiven) {
    return { kind: 'failed', cause: `no public key: ${describe(answer)}` };
  }
  const given = at(answer.json, 'data');
  const value = textAt(given, 'key') ?? '';
  if (readPublicKey(value) === undefined) return UNREADABLE;
  return { kind: 'fetched', value, ...ages(textAt(given, 'valid_upto'), deps.now()) };
}

function ages(
  validUpTo: string | undefined,
  now: Date,
): Readonly<{ freshForMs: number; usableForMs: number }> {
  const written = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}:\d{2})/.exec(validUpTo ?? '');
  const endsAtMs = written === null ? Number.NaN : Date.parse(`${written[1]}T${written[2]}Z`);
  const leftMs = endsAtMs - ZONE_EARLIEST_MS - now.getTime();
  // Also true for an invalid date: a comparison with NaN is false.
  if (!(leftMs > FRESH_UNTOLD_MS)) {
    return { freshForMs: FRESH_UNTOLD_MS, usableForMs: FRESH_UNTOLD_MS };
  }
  return { freshForMs: Math.min(leftMs, FRESH_MAX_MS), usableForMs: leftMs };
}
