import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createFileOnce, errorCode, makeOpenFolder } from '../postgres/embedded/atomic-files.ts';
import { SEALING_KEY_BYTES, type SealingKey } from './seal-secret.ts';

const VARIABLE = 'WEBHOOK_SECRET_KEYS';
const FILE_NAME = 'webhook-keys';
/** Keys are rotated rarely, so more are never in use at once. */
const KEYS_MAX = 20;
const KEY_PATTERN = /^([A-Za-z0-9_-]{1,32}):([A-Za-z0-9+/]{43}=)$/;
/** Random, so that keys made by two machines have different ids. */
const KEY_ID_BYTES = 4;
const WANTED = `id:key, the key being the base64 of ${SEALING_KEY_BYTES} random bytes, such as "k1:$(openssl rand -base64 32)"`;

/** The keys cannot be used. The message says what to do, and repeats no key. */
export class BadSealingKeys extends Error {
  override readonly name = 'BadSealingKeys';
}

type KeySource = Readonly<{
  dataDir: string;
  env: Readonly<Record<string, string | undefined>>;
}>;

/**
 * The keys that seal webhook secrets, the current one first: from WEBHOOK_SECRET_KEYS, separated by commas, or else
 * from a file in DATA_DIR, one per line, which is created when it is missing. Processes that share a database need the
 * same keys.
 */
export async function readSealingKeys(source: KeySource): Promise<readonly SealingKey[]> {
  return (await findSealingKeys(source)) ?? makeSealingKeys(source.dataDir);
}

/** The same, and undefined where there are none yet. Writes nothing. */
export async function findSealingKeys({
  dataDir,
  env,
}: KeySource): Promise<readonly SealingKey[] | undefined> {
  const given = env[VARIABLE];
  if (given !== undefined && given !== '') return parseKeys(given.split(','), VARIABLE);
  const path = join(dataDir, FILE_NAME);
  const text = await readIfThere(path);
  return text === undefined ? undefined : parseKeys(text.trim().split('\n'), path);
}

async function makeSealingKeys(dataDir: string): Promise<readonly SealingKey[]> {
  await makeOpenFolder(dataDir);
  const path = join(dataDir, FILE_NAME);
  const id = randomBytes(KEY_ID_BYTES).toString('hex');
  await createFileOnce(path, `${id}:${randomBytes(SEALING_KEY_BYTES).toString('base64')}\n`);
  // If another process was first, all processes use its key.
  const text = await readIfThere(path);
  if (text === undefined) throw new BadSealingKeys(`${path} could not be written.`);
  return parseKeys(text.trim().split('\n'), path);
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    // Below what is no folder there is no file either; that DATA_DIR is wrong is said elsewhere.
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) return undefined;
    throw new BadSealingKeys(
      `${path} cannot be read (${errorCode(error) ?? 'unknown'}). Run as the user it belongs to, or set ${VARIABLE}.`,
      { cause: error },
    );
  }
}

function parseKeys(parts: readonly string[], source: string): readonly SealingKey[] {
  if (parts.length > KEYS_MAX)
    throw new BadSealingKeys(`${source} has more than ${KEYS_MAX} keys.`);
  const keys = parts.map((part, index) => {
    const [, id, base64] = KEY_PATTERN.exec(part.trim()) ?? [];
    if (id === undefined || base64 === undefined) {
      throw new BadSealingKeys(`Key ${index + 1} of ${source} must be ${WANTED}.`);
    }
    return { id, key: Buffer.from(base64, 'base64') };
  });
  if (new Set(keys.map(({ id }) => id)).size < keys.length) {
    throw new BadSealingKeys(`${source} has two keys with one id. Give each its own.`);
  }
  return keys;
}
