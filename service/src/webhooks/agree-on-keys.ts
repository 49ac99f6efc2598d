import { timingSafeEqual } from 'node:crypto';
import type { Database, Queryable, Statement } from '../postgres/database.ts';
import { secretPurpose } from './endpoint.ts';
import { BadSealingKeys } from './read-sealing-keys.ts';
import { createSealer, deriveSealingKeys, SealBroken, type SealingKey } from './seal-secret.ts';

/** Part of the derivation: with another word, known keys would be taken for others. */
const FINGERPRINT_USE = 'fingerprint of a sealing key';
/** Two processes that start at once take turns here. The number is arbitrary but must never change. */
const AGREEMENT_LOCK = 7_246_310_578;

type KnownKey = { id: string; fingerprint: Uint8Array; number: number };
type SealedSample = { key_id: string; book_id: string; id: string; sealed: Uint8Array };

/**
 * Makes sure that this process can open what others of the same database seal, and they what it seals. The key in
 * front of `keys` becomes known to the database before anything is sealed with it. Throws BadSealingKeys when the
 * key that became known last is missing, or one with which something is sealed, or when a known id has another
 * key. Keys that are said to be lost are forgotten.
 */
export async function agreeOnSealingKeys(
  deps: Readonly<{ database: Database; now: () => Date }>,
  { keys, lost }: Readonly<{ keys: readonly SealingKey[]; lost: readonly string[] }>,
): Promise<void> {
  const [current] = keys;
  if (current === undefined) throw new Error('there is no key to seal with');
  await deps.database.transaction(async (tx) => {
    await tx.query(LOCK, [AGREEMENT_LOCK]);
    const gone = lost.filter((id) => keys.every((key) => key.id !== id));
    if (gone.length > 0) await tx.query(FORGET, [gone]);
    const known = await tx.query<KnownKey>(READ);
    const samples = await tx.query<SealedSample>(READ_SAMPLES);
    const inUse = samples.filter(({ key_id: id }) => !gone.includes(id));
    const problems = findProblems({ keys, known, inUse });
    if (problems.length > 0) throw new BadSealingKeys(problems.join('\n'));
    await forgetUnused(tx, { keys, known });
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
  const needed = new Set(inUse.map(({ key_id: id }) => id));
  if (newest !== undefined) needed.add(newest);
  const missing = [...needed].filter((id) => keys.every((key) => key.id !== id));
  const sealer = createSealer(keys);
  const changed = keys.filter((key) => {
    const row = known.find(({ id }) => id === key.id);
    if (row !== undefined) return !isSame(row.fingerprint, fingerprintOf(key));
    // Sealed by a version that kept no fingerprints.
    const sample = inUse.find(({ key_id: id }) => id === key.id);
    return (
      sample !== undefined && !opens(() => sealer.open(sample.sealed, secretPurposeOf(sample)))
    );
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

function secretPurposeOf({ book_id: bookId, id }: SealedSample): string {
  return secretPurpose({ bookId, id });
}

function opens(open: () => string): boolean {
  try {
    open();
    return true;
  } catch (error) {
    if (error instanceof SealBroken) return false;
    throw error;
  }
}

/** So that a key that was taken out of use does not have to be kept for ever. */
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
// The id of its key is in front of everything that is sealed, after one byte for its length.
const READ_SAMPLES: Statement = {
  name: '',
  text: `
    select distinct on (s.key_id) s.key_id, s.book_id, s.id, s.sealed
    from (
      select e.book_id, e.id, o.sealed,
             encode(substr(o.sealed, 2, get_byte(o.sealed, 0)), 'escape') as key_id
      from webhook_endpoints e
      cross join lateral (
        select e.secret_sealed as sealed
        union all
        select e.previous_secret_sealed where e.previous_secret_until > now()
      ) o
    ) s
    order by s.key_id`,
};
