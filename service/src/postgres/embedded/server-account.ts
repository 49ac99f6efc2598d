import { stat } from 'node:fs/promises';

import type { ServerAccount } from './run-program.ts';
import { readSystemUsers } from './system-users.ts';

/** In this order: the first that exists on the machine is used. */
const ACCOUNT_NAMES = ['postgres', 'nobody'] as const;

/**
 * The user that the server runs as. PostgreSQL refuses root, so root needs another user: the owner of an existing
 * cluster, so that `sudo` on an ordinary user's cluster changes nothing.
 */
export async function chooseServerAccount(clusterDir: string): Promise<ServerAccount | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const users = await readSystemUsers();
  const existing = await stat(clusterDir).catch(() => undefined);
  if (existing !== undefined && existing.uid !== 0) {
    const owner = users.find((user) => user.uid === existing.uid);
    return owner ?? { name: `uid ${existing.uid}`, uid: existing.uid, gid: existing.gid };
  }
  for (const name of ACCOUNT_NAMES) {
    const user = users.find((candidate) => candidate.name === name);
    if (user !== undefined && user.uid !== 0) return user;
  }
  throw new Error(
    'PostgreSQL refuses to run as root, and this machine has neither a user "postgres" nor a user ' +
      '"nobody" to run it as. Create one (useradd --system postgres), start as an ordinary user, or ' +
      'set DATABASE_URL to a PostgreSQL server of your own.',
  );
}
