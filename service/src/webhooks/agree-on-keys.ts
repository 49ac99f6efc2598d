import { timingSafeEqual } from 'node:crypto';
import type { Environment } from '../cells/open-server.ts';
import type { Database, Queryable, Statement } from '../postgres/database.ts';
import { readAllSamples, readSealedSamples, type SealedSample } from './read-sealed-samples.ts';
import { BadSealingKeys } from './read-sealing-keys.ts';
import {
  createSealer,
  deriveSealingKeys,
  SealBroken,
  type Sealer,
  type SealingKey,
} from './seal-secret.ts';

/** Part of the derivation: with another word, known keys would be taken for others. */
const FINGERPRINT_USE = 'fingerprint of a sealing key';
/** Two processes that start at once take turns here. The number is arbitrary but must never change. */
const AGREEMENT_LOCK = 7_246_310_578;

type KnownKey = { id: string; fingerprint: Uint8Array; number: number };

/**
 * Makes sure that this process can open what others of the same database seal, and they what it seals. The key in
 * front of `keys` becomes known to the database before anything is sealed with it. Throws BadSealingKeys when the
 * key that became known last is missing, or one with which something is sealed in any cell that answers, or when a
 * known id has another key. Keys that are said to be lost are forgotten. A cell that does not answer is looked at when
 * it does (`refuseUnknownSealingKeys`).
 */
export async function agreeOnSealingKeys(
  deps: Readonly<{ database: Database; env: Environment; now: () => Date }>,
  { keys, lost }: Readonly<{ keys: readonly SealingKey[]; lost: readonly string[] }>,
): Promise<void> {
  const [current] = keys;
  if (current === undefined) throw new Error('there is no key to seal with');
  const { samples, isWhole } = await readAllSamples(deps);
  await deps.database.transaction(async (tx) => {
    await tx.query(LOCK, [AGREEMENT_LOCK]);
    const gone = lost.filter((id) => keys.every((key) => key.id !== id));
    if (gone.length > 0) await tx.query(FORGET, [gone]);
    const known = await tx.query<KnownKey>(READ);
    const inUse = samples.filter(({ keyId }) => !gone.includes(keyId));
    const problems = findProblems({ keys, known, inUse });
    if (problems.length > 0) throw new BadSealingKeys(problems.join('\n'));
    if (isWhole) await forgetUnused(tx, { keys, known });
    // One that is known keeps its place: during a rotation processes with either key in front start in any order.
    if (known.some(({ id }) => id === current.id)) return;
    const number = (known.at(-1)?.number ?? 0) + 1;
    await tx.query(NOTE, [current.id, fingerprintOf(current), number, deps.now()]);
  });
}

function findProblems({
  keys,
  known,
  inUse,
}: Readonly<{
  keys: readonly SealingKey[];
  known: readonly KnownKey[];
  inUse: readonly SealedSample[];
}>): readonly string[] {
  const newest = known.at(-1)?.id;
  const needed = new Set(inUse.map(({ keyId }) => keyId));
  if (newest !== undefined) needed.add(newest);
  const missing = [...needed].filter((id) => keys.every((key) => key.id !== id));
  const sealer = createSealer(keys);
  const changed = keys.filter((key) => {
    const row = known.find(({ id }) => id === key.id);
    if (row !== undefined) return !isSame(row.fingerprint, fingerprintOf(key));
    // Sealed by a version that kept no fingerprints.
    return inUse.some((sample) => sample.keyId === key.id && !opens(sealer, sample));
  });
  return [...missing.map(sayMissing), ...changed.map(({ id }) => sayChanged(id))];
}

function sayMissing(id: string): string {
  return (
    `The database is used with the key "${id}" for webhook secrets, and this process does not have it. Add it to the ` +
    'end of WEBHOOK_SECRET_KEYS, or put the file webhook-keys of the other process into DATA_DIR. If the key is lost, ' +
    `set WEBHOOK_KEYS_LOST=${id}: then endpoints whose secret it sealed need a new one.`
  );
}

function sayChanged(id: string): string {
  return (
    `The key "${id}" of this process is another than the one that the database is used with under this id. Take the ` +
    'same key, or give the new one an id of its own, put it in front, and keep the old one behind it.'
  );
}

/**
 * Throws BadSealingKeys when a secret of this cell is sealed with a key that this process does not have. For a cell that
 * was away when the processes agreed.
 */
export async function refuseUnknownSealingKeys(
  { database, sealer }: Readonly<{ database: Queryable; sealer: Sealer }>,
  lost: readonly string[],
): Promise<void> {
  const foreign = (await readSealedSamples(database)).filter(
    ({ keyId }) => !lost.includes(keyId) && !sealer.hasKey(keyId),
  );
  if (foreign.length === 0) return;
  throw new BadSealingKeys(foreign.map(({ keyId }) => sayForeign(keyId)).join('\n'));
}

function sayForeign(id: string): string {
  return (
    `Webhook secrets of this cell are sealed with the key "${id}", and this process does not have it. ` +
    'Give all processes the same WEBHOOK_SECRET_KEYS and start again. If the key is lost, set ' +
    `WEBHOOK_KEYS_LOST=${id}: then endpoints whose secret it sealed need a new one.`
  );
}

function opens(sealer: Sealer, { sealed, purpose }: SealedSample): boolean {
  try {
    sealer.open(sealed, purpose);
    return true;
  } catch (error) {
    if (error instanceof SealBroken) return false;
    throw error;
  }
}

/** Lets a key that is no longer in use be removed. */
async function forgetUnused(
  tx: Queryable,
  { keys, known }: Readonly<{ keys: readonly SealingKey[]; known: readonly KnownKey[] }>,
): Promise<void> {
  const unused = known.filter(({ id }) => keys.every((key) => key.id !== id));
  if (unused.length > 0) await tx.query(FORGET, [unused.map(({ id }) => id)]);
}

function fingerprintOf(key: SealingKey): Uint8Array {
  const [derived] = deriveSealingKeys([key], FINGERPRINT_USE);
  if (derived === undefined) throw new Error('a key has no fingerprint');
  return derived.key;
}

function isSame(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && timingSafeEqual(left, right);
}

const LOCK: Statement = { name: '', text: 'select pg_advisory_xact_lock($1)' };
const READ: Statement = {
  name: '',
  text: 'select id, fingerprint, number from sealing_keys order by number',
};
const FORGET: Statement = {
  name: '',
  text: 'delete from sealing_keys where id = any ($1::text[])',
};
const NOTE: Statement = {
  name: '',
  text: `insert into sealing_keys (id, fingerprint, number, used_since) values ($1, $2, $3, $4)`,
};
