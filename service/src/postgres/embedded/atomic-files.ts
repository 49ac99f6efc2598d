import { randomBytes } from 'node:crypto';
import { access, chmod, link, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

import type { ServerAccount } from './run-program.ts';

const OWNER_ONLY = 0o600;
const EVERYONE_MAY_ENTER = 0o755;

export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

export async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** Creates a folder that the server's user can open under any umask. An existing folder is not changed. */
export async function makeOpenFolder(path: string): Promise<void> {
  const made = await mkdir(path, { recursive: true });
  if (made !== undefined) await chmod(path, EVERYONE_MAY_ENTER);
}

/** A name beside `path` that no other process uses. */
export function besideName(path: string): string {
  return `${path}.${randomBytes(8).toString('hex')}`;
}

/** After this, a rename or a new file in the folder survives a power cut. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Writes a file completely or not at all. Returns whether this call created it: false means that another process was
 * first, and its file stays.
 */
export async function createFileOnce(path: string, text: string): Promise<boolean> {
  const draft = besideName(path);
  try {
    await writeDraft(draft, { text, account: undefined });
    // Unlike rename, link refuses to replace an existing file.
    await link(draft, path);
    await syncFolder(dirname(path));
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

/** Replaces a file; never writes through a symbolic link that the other user may have placed there. */
export async function replaceFile(
  path: string,
  content: { text: string; account: ServerAccount | undefined },
): Promise<void> {
  const draft = besideName(path);
  await writeDraft(draft, content);
  await rename(draft, path);
}

async function writeDraft(
  draft: string,
  content: { text: string; account: ServerAccount | undefined },
): Promise<void> {
  const handle = await open(draft, 'wx', OWNER_ONLY);
  try {
    await handle.writeFile(content.text);
    if (content.account !== undefined) {
      await handle.chown(content.account.uid, content.account.gid);
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
}
