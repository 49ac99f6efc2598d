import { createHmac, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';

import { createFileOnce, errorCode } from './atomic-files.ts';
import { type ClusterPlace, hasCluster } from './cluster-place.ts';
import { SERVICE_ROLE } from './server-settings.ts';

const PASSWORD_BYTES = 32;
const PASSWORD_PATTERN = /^[A-Za-z0-9_-]{27,}$/;

/** The password of the cluster's role, created before the cluster so that two concurrent starts use the same one. */
export async function ensurePassword(place: ClusterPlace): Promise<string> {
  const existing = await readPassword(place.passwordFile);
  if (existing !== undefined) return existing;
  if (await hasCluster(place)) {
    throw new Error(
      `${place.passwordFile} is gone, and the database in ${place.clusterDir} opens with no other ` +
        'password. Put the file back; to start with an empty database instead, move this one away.',
    );
  }
  await createFileOnce(
    place.passwordFile,
    `${randomBytes(PASSWORD_BYTES).toString('base64url')}\n`,
  );
  const made = await readPassword(place.passwordFile);
  if (made === undefined) throw new Error(`${place.passwordFile} could not be written.`);
  return made;
}

/** Derived from the owner's password, so that only one file must be kept; the owner's cannot be derived from it. */
export function servicePassword(ownerPassword: string): string {
  return createHmac('sha256', ownerPassword).update(SERVICE_ROLE).digest('base64url');
}

async function readPassword(path: string): Promise<string | undefined> {
  let text: string;
  try {
    text = (await readFile(path, 'utf8')).trim();
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT') return undefined;
    if (code !== 'EACCES') throw error;
    throw new Error(
      `${path} may not be read: this data folder belongs to another user. Run as that user, or set ` +
        'DATA_DIR to a folder of your own.',
      { cause: error },
    );
  }
  if (PASSWORD_PATTERN.test(text)) return text;
  throw new Error(`${path} does not hold the password that was written there. Put it back.`);
}
